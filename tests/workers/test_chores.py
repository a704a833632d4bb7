"""Chores: done once at a time, once more for whoever asks meanwhile, and never given up."""

from __future__ import annotations

from threading import Event, Thread

from app.platform.redis_addresses import celery_address
from tests.grown import wait_for
from workers.celery_app import Nudger
from workers.chores import CHORES, Beat, Chore


def test_who_asks_while_it_is_done_has_it_done_once_more() -> None:
    begun, go_on, done = Event(), Event(), list[int]()

    def work() -> None:
        begun.set()
        assert go_on.wait(10)
        done.append(1)

    chore = Chore("work", work)
    busy = Thread(target=chore)
    busy.start()
    assert begun.wait(10)
    for _ in range(5):
        chore()  # returns at once: somebody is at it
    assert done == []
    go_on.set()
    busy.join()
    assert done == [1, 1]


def test_a_chore_that_fails_is_done_again() -> None:
    tries = list[int]()

    def fail() -> None:
        tries.append(1)
        raise RuntimeError("a bad moment")

    chore = Chore("fail", fail)
    chore()
    chore()
    assert len(tries) == 2


def test_a_beat_needs_nobody_to_ask() -> None:
    rounds = list[int]()
    beat = Beat(Chore("count", lambda: rounds.append(1)), every=0.001)
    beat.start()
    wait_for(lambda: len(rounds) >= 3, lambda: "it stopped")
    beat.stop()
    assert not beat.is_alive()


def test_a_beat_can_be_nudged() -> None:
    rounds = list[int]()
    beat = Beat(Chore("count", lambda: rounds.append(1)), every=3600)
    beat.start()
    wait_for(lambda: rounds, lambda: "it did not begin")
    beat.nudge()
    wait_for(lambda: len(rounds) == 2, lambda: "it was not heard")
    beat.stop()


def test_a_lost_nudge_delays_a_mail_by_less_than_half_a_minute_and_a_clock_by_a_minute() -> None:
    assert CHORES["drain"][1] <= 30
    urgent = {name: every for name, (_, every) in CHORES.items() if name != "tidy"}
    assert all(0 < every <= 60 for every in urgent.values())


class Broker:
    """Stands in for Celery: takes nudges, unless it is away."""

    def __init__(self) -> None:
        self.away, self.refused, self.taken = False, 0, list[str]()

    def send_task(self, name: str, **_: object) -> None:
        if self.away:
            self.refused += 1
            raise OSError("nobody answers")
        self.taken.append(name)


def test_a_nudge_outlives_a_broker_that_is_away() -> None:
    broker = Broker()
    broker.away = True
    nudger = Nudger(broker, pause=0.001)  # type: ignore[arg-type]  # it only sends
    nudger.start()
    nudger.nudge()
    wait_for(lambda: broker.refused >= 3, lambda: "it gave up")
    broker.away = False
    wait_for(lambda: broker.taken, lambda: "the wish was forgotten")
    assert set(broker.taken) == {"drain"}


def test_many_nudges_at_once_are_one_message() -> None:
    sending, go_on, broker = Event(), Event(), Broker()

    class Slow(Broker):
        def send_task(self, name: str, **more: object) -> None:
            sending.set()
            assert go_on.wait(10)
            broker.send_task(name, **more)

    nudger = Nudger(Slow())  # type: ignore[arg-type]  # it only sends
    nudger.start()
    nudger.nudge()
    assert sending.wait(10)
    for _ in range(100):
        nudger.nudge()
    go_on.set()
    wait_for(lambda: len(broker.taken) == 2, lambda: str(broker.taken))


def test_celery_writes_the_address_of_a_socket_its_own_way() -> None:
    assert celery_address("unix:///run/redis.sock") == ("redis+socket:///run/redis.sock", {})
    assert celery_address("redis://:unix://@queue/0") == ("redis://:unix://@queue/0", {})
