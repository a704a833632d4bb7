"""A bot for `chasqui arena` in thirty lines: python docs/example_bot.py reads a line, answers a line.

chasqui arena cuzco random "cmd:python docs/example_bot.py" --matches 10
"""

import json
import random
import sys

# What it likes, best first: orders that begin alike are chosen among by chance.
LIKES = ["expand", "build", "enter", "festival", "draw", "end", "place triple"]


def best(orders):
    """The orders of the kind that it likes most, temples as high as can be."""
    for word in LIKES:
        liked = [order for order in orders if order.startswith(word)]
        if word in ("expand", "build") and liked:
            most = max(int(order.split()[-1]) for order in liked)
            liked = [order for order in liked if int(order.split()[-1]) == most]
        if liked:
            return liked
    return orders  # answers in a festival, and turns in which nothing else is left


for line in sys.stdin:
    asked = json.loads(line)  # {"do": "choose", "game": …, "seat": …, "view": {…}, "legal": […]}
    order = random.choice(best(asked["legal"]))  # noqa: S311 - a game, no secret
    print(json.dumps({"ok": True, "order": order}), flush=True)
