"""Where roads may be laid, and how many (N-R, N-D6)."""

from __future__ import annotations

from engine.core.refusal import IllegalMove
from engine.core.sentence import Sentence, say
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.progress import OVER, Progress
from engine.tahuantinsuyu.refusals import refusal, refused
from engine.tahuantinsuyu.state import State, in_the_way, network, open_edges
from engine.tahuantinsuyu.text.names import ACTIONS, CARDS, place

LEAST = 1


def allowance(state: State, seat: int) -> int:
    """How many roads the road action brings (N-R2)."""
    cards = state.cards(seat)
    return max(LEAST, state.board.free_roads - cards["el_nino"] + cards["extra_labour"])


def plain(state: State, seat: int) -> int:
    """The free slots on which the seat may lay a road (N-R3)."""
    return reachable(state, seat) & state.board.slots & ~state.all_roads


def wild(state: State, seat: int) -> int:
    """The edges on which only a wild road may lie: beside others, or along a free segment (N-R6)."""
    board, taken = state.board, state.all_roads
    segments = board.segments & ~taken & ~in_the_way(board, taken)
    beside = taken & ~state.roads[seat]
    return reachable(state, seat) & (segments | beside)


def reachable(state: State, seat: int) -> int:
    """The edges at joined sites that conquests do not close."""
    return network(state.board, state.roads[seat])[1] & open_edges(state.board, state.conquered)


def wild_left(state: State, seat: int, now: Progress) -> int:
    return state.cards(seat)["wild_road"] - now.wild


# Why not


def check_wild(state: State, seat: int, now: Progress) -> None:
    if wild_left(state, seat, now) > 0:
        return
    if not now.wild:
        raise refusal("R6", "{card} does not lie beside your colour.", card=CARDS["wild_road"])
    raise refusal(
        "R6",
        "You have laid {n} wild road; Wild Road does not lie beside your colour more often.",
        "You have laid {n} wild roads; Wild Road does not lie beside your colour more often.",
        n=now.wild,
    )


def check(state: State, action: a.BuildRoad) -> int:
    """The edge of a road that may be laid."""
    edge = state.board.edge_index.get(action.pair)
    if edge is None:
        clause, said = NO_WAY[action.wild]
        raise refused(clause, said, **ends(state, action))
    ways = wild(state, action.seat) if action.wild else plain(state, action.seat)
    if not ways >> edge & 1:
        raise why_not(state, action, edge)
    return edge


def check_allowance(state: State, seat: int, now: Progress) -> None:
    """The road action may begin or go on (N-R1, N-R2)."""
    if now.given_up == "roads":
        raise refusal("D9", "You went on a pilgrimage instead of the road action.")
    if now.roads == OVER and now.given_up:
        raise refusal("R1", "Your pilgrimage has finished {action}.", action=ACTIONS["roads"])
    if now.roads == OVER:
        raise refusal(
            "R1",
            "The road action is finished: {n} road was laid before the other action began.",
            "The road action is finished: {n} roads were laid before the other action began.",
            n=now.laid,
        )
    if eclipsed(state, seat, now):
        raise refusal("D2", "Solar Eclipse: after a temple no road action may happen.")
    most = allowance(state, seat)
    if now.laid >= most:
        raise refusal(
            "R2",
            "You have laid {laid} of the {n} road of this phase.",
            "You have laid {laid} of the {n} roads of this phase.",
            laid=now.laid,
            n=most,
        )


def eclipsed(state: State, seat: int, now: Progress) -> bool:
    """Whether a temple under an eclipse has taken the road action away (N-D2)."""
    return now.main == "temple" and bool(state.cards(seat)["solar_eclipse"])


def ends(state: State, action: a.BuildRoad) -> dict[str, str]:
    one, other = (state.board.sites[state.board.site_index[site]] for site in action.pair)
    return {"a": place(one.id, one.name), "b": place(other.id, other.name)}


def why_not(state: State, action: a.BuildRoad, edge: int) -> IllegalMove:
    board, here = state.board, ends(state, action)
    bit = 1 << edge
    if found := occupied(state, action, bit):
        clause, said = found
        return refused(clause, said, **here)
    if not network(board, state.roads[action.seat])[1] & bit:
        return refusal("R3", "Neither {a} nor {b} is joined to Cuzco by your roads.", **here)
    regions = board.named_regions(board.edges[edge].regions & ~state.conquered)
    return refusal(
        "R3",
        "{regions} is not conquered, and neither {a} nor {b} touches a conquered region.",
        "{regions} are not conquered, and neither {a} nor {b} touches a conquered region.",
        n=len(regions),
        regions=", ".join(regions),
        **here,
    )


def occupied(state: State, action: a.BuildRoad, bit: int) -> tuple[str, Sentence] | None:
    """What lies in the way of a road, and the clause that says so."""
    board = state.board
    if state.roads[action.seat] & bit:
        return "R6", OWN
    if action.wild:
        if bit & board.slots & ~state.all_roads:
            return "R6", FREE
        if bit & in_the_way(board, state.all_roads) & ~state.all_roads:
            return "R6", CROSSED
        return None
    if bit & board.segments:
        return "R6", SEGMENT
    return ("R3", TAKEN) if bit & state.all_roads else None


# By whether the road is wild: the clause and what it misses.
NO_WAY = (
    ("R3", say("No road slot leads from {a} to {b}.")),
    ("R6", say("Neither a road slot nor a way for a wild road leads from {a} to {b}.")),
)
OWN = say("Your own road already leads from {a} to {b}.")
FREE = say("The slot from {a} to {b} is free; a plain road goes there.")
CROSSED = say("A wild road crosses the way from {a} to {b}.")
SEGMENT = say("No slot leads from {a} to {b}; only a wild road can lie there.")
TAKEN = say("A road already lies from {a} to {b}; only a wild road may lie beside it.")
