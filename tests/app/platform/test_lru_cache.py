"""What is remembered for a while: so many things, the oldest forgotten first."""

from app.platform.lru_cache import LruCache


def test_the_oldest_is_forgotten_first() -> None:
    kept: LruCache[str, int] = LruCache(2)
    assert [kept.keep(name, number) for number, name in enumerate("abc")] == [0, 1, 2]
    assert kept.get("a") is None
    assert kept.names() == ["b", "c"]


def test_what_is_asked_for_stays_longer() -> None:
    kept: LruCache[str, int] = LruCache(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert kept.names() == ["a", "c"]


def test_nothing_is_left_after_clearing() -> None:
    kept: LruCache[str, int] = LruCache(2)
    kept.keep("a", 1)
    kept.clear()
    assert kept.get("a") is None


def test_what_is_kept_is_weighed_and_the_oldest_gives_way_to_the_heavy() -> None:
    kept: LruCache[str, bytes] = LruCache(10, len)
    for name, size in (("a", 3), ("b", 3), ("c", 4)):
        kept.keep(name, bytes(size))
    assert (kept.names(), kept.weight) == (["a", "b", "c"], 10)
    kept.keep("d", bytes(5))
    assert (kept.names(), kept.weight) == (["c", "d"], 9)
    kept.keep("c", bytes(1))  # made anew, and lighter
    assert (kept.names(), kept.weight) == (["d", "c"], 6)


def test_what_alone_is_too_heavy_is_not_kept_and_throws_nothing_out() -> None:
    kept: LruCache[str, bytes] = LruCache(10, len)
    kept.keep("a", bytes(3))
    assert kept.keep("b", bytes(11)) == bytes(11)
    assert (kept.names(), kept.weight) == (["a"], 3)
