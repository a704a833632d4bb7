"""What is remembered for a while: so many things, the oldest forgotten first."""

from app.lately import Lately


def test_the_oldest_is_forgotten_first() -> None:
    kept: Lately[str, int] = Lately(2)
    assert [kept.keep(name, number) for number, name in enumerate("abc")] == [0, 1, 2]
    assert kept.get("a") is None
    assert kept.names() == ["b", "c"]


def test_what_is_asked_for_stays_longer() -> None:
    kept: Lately[str, int] = Lately(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert kept.names() == ["a", "c"]


def test_nothing_is_left_after_clearing() -> None:
    kept: Lately[str, int] = Lately(2)
    kept.keep("a", 1)
    kept.clear()
    assert kept.get("a") is None
