"""Moments of all kinds in which a match of Cuzco can be."""

from tests.games.table import cuzco, new

FEAST = (
    "seats 3; turn A ap 0 laid; villages k8 k10 k12 j9; temple k10 2; A at k8; B at k12; C at j9;"
    "open tumi; A hand tumi tumi; B hand tumi+kero; C hand tumi+quipu"
)
MOMENTS = {
    "a beginning": lambda: new("cuzco", 4),
    "in a turn": lambda: cuzco("triple k8 k6 l7").play("token", "place crop k10", "draw pile"),
    "a temple changed": lambda: cuzco("turn A laid; villages k8 k10; A at k8").play("build k10 2"),
    "a disc": lambda: cuzco(FEAST).play("festival k10 tumi", "pass", "pass"),
    "a festival": lambda: cuzco(FEAST).play("festival k10 tumi"),
    "bids": lambda: cuzco(FEAST).play("festival k10 tumi", "pass", "bid tumi+quipu"),
    "the last round": lambda: cuzco("supply triples 1").play("place triple k8 k6 l7", "end"),
    "idle turns": lambda: cuzco("turn A ap 0").play("end"),
    "the end": lambda: cuzco("turn B ap 0; last A; scored A").play("end"),
    "options": lambda: cuzco("seats 3 exact_temples ask_everyone off rules 1"),
}
