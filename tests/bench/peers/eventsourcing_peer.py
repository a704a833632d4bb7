"""The library `eventsourcing` as a peer: an aggregate with as many events of the same content, rebuilt from its rows."""

import json
import sys
from time import perf_counter, thread_time

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class Match(Aggregate):
    """Does the least that a fold can do: it counts."""

    def __init__(self):
        self.count = 0

    @event("Happened")
    def happen(self, kind, data):  # noqa: ARG002 - they are what is kept
        self.count += 1


class Plain(Application):
    pass


class Snapshots(Application):
    snapshotting_intervals = {Match: 50}  # noqa: RUF012 - as its manual says it


def opened(env):
    return {"plain": Plain(env=env), "snapshots": Snapshots(env={**env, "NAME": "snapshots"})}


def filled(application, events):
    match = Match()
    for kind, data in events:
        match.happen(kind, data)
        application.save(match)
    return match.id


if __name__ == "__main__":
    for number, line in enumerate(sys.stdin):
        wish = json.loads(line)
        if number == 0:
            applications = opened(wish["env"])
            ids = {name: filled(one, wish["events"]) for name, one in applications.items()}
            print("0", flush=True)
            continue
        clock = thread_time if wish["working"] else perf_counter
        begun = clock()
        found = applications[wish["do"]].repository.get(ids[wish["do"]])
        spent = clock() - begun
        assert found.count
        print(json.dumps(spent), flush=True)
