"""Festivals (C-F): proposing, the course of bidding, and who holds it in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.core.chance import Chance
from engine.cuzco import events as e
from engine.cuzco.actions import Bid, Hold, Pass, ProposeFestival
from engine.cuzco.cards import choices, total, worth
from engine.cuzco.edition import VALUES
from engine.cuzco.evolve import evolve
from engine.cuzco.rules.pile import drawn, unseen
from engine.cuzco.state import UNSEEN, Festival, State


def guests(state: State, at: str, proposer: int) -> tuple[int, ...]:
    """The others with an Inca in the city, in turn order from the proposer."""
    city = state.board.cities[state.edition.layout.index[at]]
    order = ((proposer + step) % state.seats for step in range(1, state.seats))
    return tuple(seat for seat in order if state.incas[seat] & city)


def proposals(state: State, seat: int) -> Iterator[ProposeFestival]:
    """Every festival that the player may propose now."""
    if state.open is None:
        return
    for hex_, city in state.board.cities.items():
        if state.incas[seat] & city and not state.board.temples[hex_].disc:
            at = state.edition.layout.names[hex_]
            for cards in playable(state, seat):
                yield ProposeFestival(seat, at, cards)


def check_proposal(state: State, action: ProposeFestival) -> None:
    edition, board = state.edition, state.board
    hex_ = edition.layout.index[action.at]
    if hex_ not in board.temples:
        raise edition.refusal("F1", "There is no {temple} at {hex}.", hex=action.at)
    if board.temples[hex_].disc:
        raise edition.refusal(
            "F8" if "F8" in edition.clauses else "F6",
            "The {temple} at {hex} had its festival ({disc}); the next one comes when it has grown.",
            hex=action.at,
        )
    if not state.incas[action.seat] & board.cities[hex_]:
        raise edition.refusal("F1", "You have no {inca} in the city of {hex}.", hex=action.at)
    if state.open is None:
        raise edition.refusal("D3", "No card lies open, so no festival can be proposed.")
    check_cards(state, action.seat, action.cards)


def check_cards(state: State, seat: int, cards: tuple[str, ...]) -> None:
    """The cards are the player's own and match the open card."""
    edition, hand = state.edition, Counter(state.hands[seat])
    guessed = hand[UNSEEN]  # each may be the card that is missing
    for card, count in Counter(cards).items():
        guessed -= max(0, count - hand[card])
        if guessed < 0:
            raise edition.refusal(
                "F1",
                "You have {have} of {card}, not {count}.",
                have=hand[card],
                card=card,
                count=count,
            )
        if not worth(card, state.open):
            raise edition.refusal(
                "F2",
                "{card} shares 0 relics with the open card {open}.",
                card=card,
                open=state.open,
            )


def propose(state: State, action: ProposeFestival, chance: Chance) -> list[Any]:
    check_proposal(state, action)
    proposed = e.FestivalProposed(
        seat=action.seat,
        at=action.at,
        value=state.board.temples[state.edition.layout.index[action.at]].value,
        open=state.open or "",
        cards=tuple(sorted(action.cards)),
        total=total(action.cards, state.open),
        guests=guests(state, action.at, action.seat),
    )
    return run_on(state, [proposed], action.seat, chance)


def answers(state: State, seat: int) -> Iterator[Bid | Hold | Pass]:
    """What the seat that is asked may say (C-F3)."""
    festival = running(state)
    short = highest(state, festival) - own(state, festival, seat)
    yield Pass(seat) if short > 0 else Hold(seat)
    for cards in playable(state, seat):
        if total(cards, state.open) >= short:
            yield Bid(seat, cards)


def playable(state: State, seat: int) -> Iterator[tuple[str, ...]]:
    """Every choice of matching cards; where a hand is forgotten, each card may be any that nobody has seen."""
    hand = state.hands[seat]
    guessed = hand.count(UNSEEN)
    if not guessed:
        yield from choices(hand, state.open)
        return
    known, left = Counter(hand), Counter(unseen(state))
    maybe = [card for card, count in left.items() for _ in range(min(count, guessed))]
    for cards in choices((*hand, *maybe), state.open):
        if (Counter(cards) - known).total() <= guessed:
            yield cards


def answer(state: State, action: Bid | Hold | Pass, chance: Chance) -> list[Any]:
    """One word of the seat that is asked, and what follows until somebody else is."""
    festival, edition, seat = running(state), state.edition, action.seat
    top, mine = highest(state, festival), own(state, festival, seat)
    match action:
        case Bid(cards=cards):
            check_cards(state, seat, cards)
            new = mine + total(cards, state.open)
            if new < top:
                raise edition.refusal(
                    "F3",
                    "With these cards you would have {new} FP; the highest has {top}.",
                    new=new,
                    top=top,
                )
            said: Any = e.BidMade(seat, tuple(sorted(cards)), new)
        case Hold():
            if mine < top:
                raise edition.refusal(
                    "F3",
                    "You have {mine} FP and the highest has {top}: bid or pass.",
                    mine=mine,
                    top=top,
                )
            said = e.FestivalHeld(seat, silent=False)
        case Pass():
            if mine == top:
                raise edition.refusal(
                    "F3", "You have {mine} FP, the most: bid or hold, not pass.", mine=mine
                )
            said = e.DroppedOut(seat, silent=False)
    return run_on(state, [said], seat, chance)


def run_on(state: State, events: list[Any], after: int, chance: Chance) -> list[Any]:
    """Goes round the table from `after` until somebody has to be asked or the festival ends.

    Last comes `after` again: in Cuzco the last bidder has a word too, unless he is left alone (C-F3).
    """
    for event in events:
        state = evolve(state.edition, state, event)
    for step in range(1, state.seats + 1):
        festival, seat = running(state), (after + step) % state.seats
        if seat in festival.answered or seat not in still_in(state, festival):
            continue
        if state.edition.last_word and still_in(state, festival) == (seat,):
            break
        word = silent_word(state, festival, seat, chance)
        if word is None:
            mine, top = own(state, festival, seat), highest(state, festival)
            return [*events, e.AnswerAsked(seat, mine, top)]
        events.append(word)
        state = evolve(state.edition, state, word)
    return [*events, *ended(state, running(state), chance)]


def silent_word(state: State, festival: Festival, seat: int, chance: Chance) -> Any:
    """The only possible answer of a seat that need not be asked (C-F4), or None."""
    if state.options.get("ask_everyone"):
        return None
    short = highest(state, festival) - own(state, festival, seat)
    hand = total(state.hands[seat], state.open)
    most = hand + state.hands[seat].count(UNSEEN) * worth(state.open or "", state.open)
    word = only_word(seat, short, hand)
    if word == only_word(seat, short, most):
        return word
    return chance.pick((word, None))  # it hangs on cards that are forgotten


def only_word(seat: int, short: int, hand: int) -> Any:
    """What somebody has to say who lacks `short` FP and holds `hand`, if that is one thing alone."""
    if short > hand:
        return e.DroppedOut(seat, silent=True)
    if short == 0 and hand == 0:
        return e.FestivalHeld(seat, silent=True)
    return None


def ended(state: State, festival: Festival, chance: Chance) -> list[Any]:
    """The festival is over: points, discards and, in Cuzco, a new open card (C-F5, C-F6)."""
    hosts = still_in(state, festival)
    edition = state.edition
    value = state.board.temples[edition.layout.index[festival.at]].value
    table = edition.alone if len(hosts) == 1 else edition.shared
    played = tuple(sorted(card for cards in festival.played for card in cards))
    end = e.FestivalEnded(festival.at, hosts, table[VALUES.index(value)], played)
    if not edition.open_turns:
        return [end]
    return [end, turn_card(evolve(edition, state, end), chance)]


def turn_card(state: State, chance: Chance) -> e.CardTurned:
    """A new open card from the pile, or from the discards if it is empty (C-D2)."""
    return e.CardTurned(*drawn(state, chance))


def running(state: State) -> Festival:
    if state.festival is None:
        raise state.edition.refusal("F3", "No festival is running, so there is nothing to answer.")
    return state.festival


def still_in(state: State, festival: Festival) -> tuple[int, ...]:
    """Who takes part and has not dropped out, by seat."""
    present = {festival.proposer, *guests(state, festival.at, festival.proposer)}
    return tuple(sorted(present - set(festival.out)))


def own(state: State, festival: Festival, seat: int) -> int:
    return total(festival.played[seat], state.open)


def highest(state: State, festival: Festival) -> int:
    """The highest total of those still in; nobody drops out while highest."""
    return max(own(state, festival, seat) for seat in still_in(state, festival))
