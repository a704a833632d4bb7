"""Cards: what they are worth beside the open one, and which of a hand can be played together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product


@cache  # six cards beside six: asked a hundred thousand times in a match of bots
def worth(card: str, open_card: str | None) -> int:
    """The FP of a card: one for each relic it shares with the open card (C-F2)."""
    return len(set(card.split("+")) & set((open_card or "").split("+")))


def total(cards: Sequence[str], open_card: str | None) -> int:
    return sum(worth(card, open_card) for card in cards)


def choices(hand: tuple[str, ...], open_card: str | None) -> Iterator[tuple[str, ...]]:
    """Every choice of one or more matching cards, made only as they are asked for."""
    counts = sorted(Counter(card for card in hand if worth(card, open_card)).items())
    for numbers in product(*(range(count + 1) for _, count in counts)):
        if any(numbers):
            yield tuple(
                card for (card, _), n in zip(counts, numbers, strict=True) for _ in range(n)
            )
