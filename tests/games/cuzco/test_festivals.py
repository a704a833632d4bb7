"""C-F: festivals."""

import pytest

from engine.core.chance import Chance
from engine.cuzco.events import BidMade, DroppedOut, FestivalEnded, FestivalHeld, FestivalProposed
from tests.games.table import Table, cuzco

PLACES = "villages k8 k10 k12 j9 j11; A at k8; B at k12; C at j9; D at j11"


def feast(facts: str, value: int = 8) -> Table:
    """Four players in the city of a temple at k10; A's turn, nothing left to do but a festival.

    Who has only one answer is not asked, for speed, unless the facts say otherwise.
    """
    return cuzco(
        f"seats 4 ask_everyone off; turn A ap 0 laid; {PLACES}; temple k10 {value}; {facts}"
    )


def hosts(table: Table) -> tuple[tuple[int, ...], int]:
    """Who held the festival that has just ended, and for how many PP each."""
    end = table.event(FestivalEnded)
    return end.hosts, end.points


def test_a_festival_costs_nothing_and_ends_the_turn() -> None:  # C-F1
    table = feast("open tumi; A hand tumi tumi").play("festival k10 tumi")
    assert table.kinds()[-3:] == ["CardTurned", "TurnEnded", "TurnBegan"]
    assert (table.to_act, table.state["turn"]["seat"]) == ("B", 1)


def test_a_festival_needs_a_temple() -> None:  # C-F1
    feast("open tumi; A hand tumi").refuses("festival k8 tumi", "C-F1", "no temple at k8")


def test_a_festival_needs_an_inca_in_the_city() -> None:  # C-F1
    table = feast("open tumi; A hand tumi; A at g8; crops g8")
    table.refuses("festival k10 tumi", "C-F1", "no Inca in the city of k10")


def test_an_inca_beside_the_city_is_not_in_it() -> None:  # C-F1
    table = feast("open tumi; A hand tumi; crops l9; A at l9")
    table.refuses("festival k10 tumi", "C-F1", "no Inca in the city of k10")


def test_the_cards_played_must_be_in_hand() -> None:  # C-F1
    table = feast("open tumi; A hand tumi tumi+kero")
    table.refuses("festival k10 tumi tumi", "C-F1", "You have 1 of tumi, not 2")
    table.refuses("festival k10 tumi+quipu", "C-F1", "You have 0 of tumi+quipu")


def test_one_or_more_matching_cards_may_be_played() -> None:  # C-F1
    table = feast("open tumi; A hand tumi tumi tumi+kero kero")
    assert table.legal("festival") == [
        "festival k10 tumi",
        "festival k10 tumi tumi",
        "festival k10 tumi tumi tumi+kero",
        "festival k10 tumi tumi+kero",
        "festival k10 tumi+kero",
    ]


def test_a_card_that_shares_no_relic_does_not_match() -> None:  # C-F2
    table = feast("open tumi; A hand quipu+kero tumi")
    table.refuses("festival k10 quipu+kero", "C-F2", "quipu+kero shares 0 relics with the open")
    table.refuses("festival k10 quipu+kero tumi", "C-F2", "shares 0 relics")


@pytest.mark.parametrize(
    ("open_card", "cards", "total"),
    [
        ("tumi", "tumi", 1),
        ("tumi", "tumi+kero", 1),
        ("tumi+quipu", "tumi", 1),
        ("tumi+quipu", "tumi+kero", 1),
        ("tumi+quipu", "tumi+quipu", 2),
        ("tumi+quipu", "tumi+quipu quipu+kero quipu", 4),
    ],
)
def test_each_shared_relic_is_a_festival_point(
    open_card: str, cards: str, total: int
) -> None:  # C-F2
    table = feast(f"open {open_card}; A hand {cards}").play(f"festival k10 {cards}")
    assert table.event(FestivalProposed).total == total


@pytest.mark.parametrize(("turn", "asked"), [("A", "BCD"), ("B", "CDA"), ("C", "DAB")])
def test_the_others_are_asked_in_turn_order(turn: str, asked: str) -> None:  # C-F3
    hands = "; ".join(f"{letter} hand tumi" for letter in "ABCD")
    table = feast(f"open tumi; {hands}; turn {turn} ap 0 laid").play("festival k10 tumi")
    assert table.event(FestivalProposed).guests == tuple(map("ABCD".index, asked))
    seen = ""
    for _ in asked:
        seen += table.to_act
        table.play("pass")
    assert seen == asked


def test_only_players_with_an_inca_in_the_city_are_asked() -> None:  # C-F3
    table = feast("open tumi; A hand tumi; B hand tumi; C hand tumi; B at g8; crops g8")
    table.play("festival k10 tumi")
    assert table.to_act == "C"
    assert hosts(table.play("pass")) == ((0,), 4)


def test_whoever_is_below_must_reach_the_highest_or_pass_it() -> None:  # C-F3
    table = feast("open tumi; A hand tumi tumi; B hand tumi tumi tumi+kero")
    table.play("festival k10 tumi tumi")
    table.refuses("bid tumi", "C-F3", "you would have 1 FP; the highest has 2")
    assert table.legal() == [
        "bid tumi tumi",
        "bid tumi tumi tumi+kero",
        "bid tumi tumi+kero",
        "pass",
    ]


def test_whoever_is_below_may_not_hold() -> None:  # C-F3
    table = feast("open tumi; A hand tumi; B hand tumi").play("festival k10 tumi")
    table.refuses("hold", "C-F3", "You have 0 FP and the highest has 1")


def test_bids_must_be_matching_cards_of_ones_own() -> None:  # C-F3
    table = feast("open tumi; A hand tumi; B hand tumi kero").play("festival k10 tumi")
    table.refuses("bid tumi kero", "C-F2", "kero shares 0 relics")
    table.refuses("bid tumi tumi", "C-F1", "You have 1 of tumi, not 2")


def test_dropping_out_is_final() -> None:  # C-F3
    hands = "A hand tumi tumi; B hand tumi+kero tumi+kero; C hand tumi tumi tumi+quipu"
    table = feast(f"open tumi; {hands}")
    table.play("festival k10 tumi", "pass", "bid tumi tumi", "bid tumi")
    assert table.to_act == "C"  # B could reach 2, but has passed
    assert hosts(table.play("hold")) == ((0, 2), 2)


def test_whoever_was_reached_is_asked_to_raise_or_share() -> None:  # C-F3
    table = feast("open tumi; A hand tumi tumi; B hand tumi").play("festival k10 tumi", "bid tumi")
    assert table.to_act == "A"
    assert table.legal() == ["bid tumi", "hold"]
    table.refuses("pass", "C-F3", "You have 1 FP, the most: bid or hold")


def test_whoever_was_passed_must_reach_the_new_highest() -> None:  # C-F3
    table = feast("open tumi+kero; A hand tumi tumi tumi; B hand tumi tumi")
    table.play("festival k10 tumi", "bid tumi tumi")
    assert table.legal() == ["bid tumi", "bid tumi tumi", "pass"]


def test_everybody_level_is_asked_once_after_each_who_reached_them() -> None:  # C-F3
    hands = "; ".join(f"{letter} hand tumi tumi+kero" for letter in "ABC")
    table = feast(f"open tumi; {hands}").play("festival k10 tumi", "bid tumi", "bid tumi")
    assert table.to_act == "A"
    assert table.play("hold").to_act == "B"
    assert table.play("hold").to_act == "C"  # who bid last speaks too
    assert hosts(table.play("hold")) == ((0, 1, 2), 2)


def test_the_last_bidder_speaks_too_after_all_others() -> None:  # C-F3
    table = feast("open tumi; A hand tumi tumi; B hand tumi tumi; seats 4")
    table.play("festival k10 tumi", "bid tumi", "pass", "pass")
    assert table.to_act == "A"
    assert table.play("hold").to_act == "B"
    assert table.legal() == ["bid tumi", "hold"]
    assert table.play("bid tumi").to_act == "A"  # a raise asks the others once more
    assert table.play("bid tumi").to_act == "B"
    assert table.play("hold").to_act == "A"
    assert hosts(table.play("hold")) == ((0, 1), 2)


def test_whoever_is_left_alone_at_the_top_is_not_asked() -> None:  # C-F3
    table = feast("open tumi; A hand tumi tumi; B hand tumi tumi; seats 4")
    table.play("festival k10 tumi", "bid tumi tumi", "pass", "pass")
    assert hosts(table.play("pass")) == ((1,), 4)


def test_by_the_first_rules_the_last_bidder_had_no_further_word() -> None:  # C-F3
    table = feast("open tumi; A hand tumi tumi; B hand tumi tumi; seats 4 rules 1")
    table.play("festival k10 tumi", "bid tumi", "pass", "pass")
    assert hosts(table.play("hold")) == ((0, 1), 2)


def test_a_raise_asks_those_again_who_had_agreed_to_share() -> None:  # C-F3
    hands = "; ".join(f"{letter} hand tumi tumi+kero" for letter in "ABC")
    table = feast(f"open tumi; {hands}").play("festival k10 tumi", "bid tumi", "bid tumi")
    table.play("hold", "bid tumi+kero")
    assert table.to_act == "C"
    assert table.play("pass").to_act == "A"
    assert hosts(table.play("bid tumi+kero")) == ((0, 1), 2)


def test_nothing_but_an_answer_is_heard_while_a_festival_runs() -> None:  # C-F3
    table = feast("open tumi; A hand tumi; B hand tumi").play("festival k10 tumi")
    table.refuses("end", "C-F3", "A festival is running in the city of k10")
    table.refuses("place crop g8", "C-F3", "bid, hold or pass")


@pytest.mark.parametrize("order", ["bid tumi", "hold", "pass"])
def test_there_is_nothing_to_answer_without_a_festival(order: str) -> None:  # C-F3
    feast("open tumi; A hand tumi").refuses(order, "C-F3", "No festival is running")


def test_whoever_cannot_reach_the_highest_is_not_asked() -> None:  # C-F4
    table = feast("open tumi; A hand tumi tumi; B hand tumi kero kero; C hand tumi tumi+kero")
    table.play("festival k10 tumi tumi")
    assert table.kinds() == ["FestivalProposed", "DroppedOut", "AnswerAsked"]
    assert table.to_act == "C"
    assert (table.events[1].seat, table.events[1].silent) == (1, True)


def test_whoever_is_level_without_a_matching_card_holds_unasked() -> None:  # C-F4
    table = feast("open tumi; A hand tumi kero; B hand tumi").play("festival k10 tumi", "bid tumi")
    assert table.kinds()[:3] == ["BidMade", "DroppedOut", "DroppedOut"]
    assert table.events[3:5] == [FestivalHeld(0, silent=True), FestivalHeld(1, silent=True)]
    assert hosts(table) == ((0, 1), 2)


def test_a_festival_ends_at_once_when_nobody_is_left_to_ask() -> None:  # C-F4
    table = feast("open tumi; A hand tumi").play("festival k10 tumi")
    assert hosts(table) == ((0,), 4)


def test_the_last_one_left_is_alone() -> None:  # C-F4
    table = feast("open tumi; A hand tumi tumi; B hand tumi tumi")
    table.play("festival k10 tumi", "bid tumi tumi", "pass")
    assert hosts(table) == ((1,), 4)
    assert table.scores == (0, 4, 0, 0)


def test_whoever_answered_openly_is_no_silent_one() -> None:  # C-F4
    table = feast("open tumi; A hand tumi; B hand tumi").play("festival k10 tumi", "pass")
    assert (table.events[0].seat, table.events[0].silent) == (1, False)
    table = feast("open tumi; A hand tumi tumi; B hand tumi").play("festival k10 tumi", "bid tumi")
    assert table.play("hold").events[:2] == [
        FestivalHeld(0, silent=False),
        FestivalHeld(1, silent=True),
    ]


def test_everybody_still_in_is_asked_as_a_rule() -> None:  # C-F4
    table = feast("seats 4; open tumi; A hand tumi; B hand kero; C hand tumi")
    assert table.play("festival k10 tumi").to_act == "B"
    assert table.legal() == ["pass"]
    assert table.play("pass", "bid tumi").to_act == "D"
    assert table.play("pass").to_act == "A"
    assert table.legal() == ["hold"]
    assert table.play("hold").to_act == "C"
    assert hosts(table.play("hold")) == ((0, 2), 2)


@pytest.mark.parametrize("table", ["seats 4", "seats 4 ask_everyone off"])
def test_the_story_is_the_same_whether_somebody_could_not_or_would_not(table: str) -> None:  # C-F4
    feasting = feast(f"{table}; open tumi; A hand tumi; B hand tumi")
    told = told_by(feasting, "festival k10 tumi")
    while feasting.match.state.festival:
        told += told_by(feasting, "bid tumi" if feasting.offers("bid tumi") else plain(feasting))
    assert told == [
        "B played tumi and reached 1 FP.",
        "C dropped out of the festival.",
        "D dropped out of the festival.",
        "A agreed to share.",
        "B agreed to share.",
    ]


def told_by(table: Table, order: str) -> list[str]:
    """What the story says of the answers that an order brought."""
    events = [
        e for e in table.play(order).events if isinstance(e, BidMade | DroppedOut | FestivalHeld)
    ]
    return [str(table.match.game.describe(event)) for event in events]


def plain(table: Table) -> str:
    """The answer that plays no card."""
    return "hold" if table.offers("hold") else "pass"


def test_nobody_outside_the_city_is_asked() -> None:  # C-F4
    table = feast("seats 4; open tumi; A hand tumi; crops g8; B at g8")
    assert table.play("festival k10 tumi").to_act == "C"


@pytest.mark.parametrize(
    ("value", "alone", "shared"), [(2, 1, 1), (4, 2, 1), (6, 3, 2), (8, 4, 2), (10, 5, 3)]
)
def test_the_value_of_the_temple_gives_the_points(
    value: int, alone: int, shared: int
) -> None:  # C-F5
    table = feast("open tumi; A hand tumi; B hand tumi", value).play("festival k10 tumi", "pass")
    assert table.scores == (alone, 0, 0, 0)
    table = feast("open tumi; A hand tumi; B hand tumi", value)
    assert table.play("festival k10 tumi", "bid tumi").scores == (shared, shared, 0, 0)


def test_three_who_share_score_the_same_as_two() -> None:  # C-F5
    hands = "; ".join(f"{letter} hand tumi" for letter in "ABC")
    table = feast(f"open tumi; {hands}", 10).play("festival k10 tumi", "bid tumi", "bid tumi")
    assert table.scores == (3, 3, 3, 0)


def test_all_cards_played_are_discarded_and_a_new_card_is_turned() -> None:  # C-F6
    hands = "A hand tumi tumi kero; B hand tumi quipu; C hand tumi+kero tumi+kero"
    table = feast(f"open tumi; {hands}; pile kero")
    table.play("festival k10 tumi", "bid tumi", "bid tumi+kero tumi+kero", "pass")
    assert hosts(table) == ((2,), 4)
    state = table.state
    assert state["hands"] == [["kero", "tumi"], ["quipu"], [], []]
    assert state["discard"] == ["tumi", "tumi", "tumi", "tumi+kero", "tumi+kero"]
    assert (state["open"], state["pile"]) == ("kero", [])


def test_the_old_open_card_goes_under_the_new_one() -> None:  # C-F6
    table = feast("open quipu; A hand quipu+kero; pile kero; discard tumi")
    state = table.play("festival k10 quipu+kero").state
    assert (state["open"], state["discard"]) == ("kero", ["quipu", "quipu+kero", "tumi"])


def test_a_temple_with_a_disc_has_no_festival_until_it_is_expanded() -> None:  # C-F6
    table = feast("open tumi; A hand tumi tumi; pile tumi", 2).play("festival k10 tumi")
    assert table.state["temples"]["k10"]["disc"]
    table = feast("open tumi; A hand tumi; villages k8; temple k10 2 disc; turn A ap 1 laid")
    table.refuses("festival k10 tumi", "C-F6", "had its festival (solar disc)")
    table.play("expand k10 4")
    assert not table.state["temples"]["k10"]["disc"]
    table.play("festival k10 tumi")


def test_neither_builder_nor_highest_but_present_is_enough() -> None:  # C-F7
    table = feast("open tumi; A hand tumi; villages k12^3 j9^2")
    assert table.play("festival k10 tumi").scores == (4, 0, 0, 0)


def test_whoever_has_made_the_final_scoring_may_still_join_and_score() -> None:  # C-F7
    table = feast("open tumi; turn B ap 0; B hand tumi; A hand tumi tumi; last A; scored A")
    assert table.play("festival k10 tumi").to_act == "A"
    assert hosts(table.play("bid tumi tumi")) == ((0,), 4)
    assert table.scores[0] == 4


def test_of_a_hand_that_nobody_knows_all_that_it_may_hold_may_be_bid() -> None:  # C-F3
    table = feast("open tumi; A hand tumi tumi; B hand tumi tumi").play("festival k10 tumi tumi")
    game = table.match.game
    forgotten = game.forget(table.match.state, 0)
    asked = game.question(game.view(forgotten, 1))
    assert asked is not None
    assert [one.order for one in asked.answers] == ["pass"]
    assert asked.composed == ("bid",)
    offered = [game.format(action) for action in game.legal(forgotten, 1)]
    # One relic in common makes 1 FP: two cards are needed, and no card without a relic of the open one.
    assert sorted(offered) == [
        "bid tumi tumi",
        "bid tumi tumi+kero",
        "bid tumi tumi+quipu",
        "bid tumi+kero tumi+kero",
        "bid tumi+kero tumi+quipu",
        "bid tumi+quipu tumi+quipu",
        "pass",
    ]
    for order in offered:
        assert list(game.decide(forgotten, game.parse(1, order), Chance("here", "guess", 0)))
    known = game.question(game.view(table.match.state, 1))
    assert known is not None
    assert [one.order for one in known.answers] == ["pass", "bid tumi tumi"]
    assert known.composed == ()


def test_a_hand_that_nobody_knows_may_propose_what_is_still_somewhere() -> None:  # C-F1
    gone = " ".join(["tumi+kero"] * 5)
    table = feast(f"open tumi; A hand quipu tumi; B hand tumi tumi tumi; discard {gone}")
    game, state = table.match.game, table.match.state
    forgotten = game.forget(state, 1)
    offered = {game.format(action) for action in game.legal(forgotten, 0)}
    festivals = {order for order in offered if order.startswith("festival")}
    # One tumi is left of five, no tumi with kero; who asks holds three.
    assert festivals == {
        "festival k10 tumi",
        "festival k10 tumi+quipu",
        "festival k10 tumi tumi+quipu",
        "festival k10 tumi+quipu tumi+quipu",
    }
