"""`chasqui partition`: the log in parts by match (declarative hash partitioning), each part as append-only as the whole.

Every key of the log begins with the match, so that a match lies in one part, and Citus could distribute by the same column.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from app.platform.database import Database, migration_engine

MOST_PARTS = 1024
IS_PARTITIONED = text("SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass('event')")
GUARD = """
    CREATE TRIGGER event_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_never_changed()
"""
DIFFERENT = text(
    """
    SELECT count(*) FROM (
        (SELECT * FROM event_whole EXCEPT SELECT * FROM event) UNION ALL (SELECT * FROM event EXCEPT SELECT * FROM event_whole)
    ) AS different
    """
)


class NotPartitioned(Exception):
    """It cannot be done; the sentence says why, and nothing was changed."""


def partition_log(database: Database, parts: int) -> int:
    """Puts the log into so many parts, in one transaction; says how many events lie in them. The owner of the tables must ask."""
    if database.is_sqlite:
        raise NotPartitioned("Only PostgreSQL has parts; this is SQLite.")
    if not 2 <= parts <= MOST_PARTS:
        raise NotPartitioned(f"The log can have 2 to {MOST_PARTS} parts, not {parts}.")
    engine = migration_engine(database.url)
    try:
        with engine.begin() as connection:
            return into_parts(connection, parts)
    finally:
        engine.dispose()


def into_parts(connection: Connection, parts: int) -> int:
    if connection.execute(IS_PARTITIONED).scalar():
        raise NotPartitioned("The log lies in parts already.")
    for statement in (
        "LOCK TABLE event IN ACCESS EXCLUSIVE MODE",
        "ALTER TABLE event RENAME TO event_whole",
        "ALTER TABLE event_whole RENAME CONSTRAINT pk_event TO pk_event_whole",
        "ALTER TABLE event_whole RENAME CONSTRAINT fk_event_match_id_match TO fk_event_whole",
        "CREATE TABLE event (LIKE event_whole INCLUDING DEFAULTS) PARTITION BY HASH (match_id)",
        *(
            f"CREATE TABLE event_{n} PARTITION OF event FOR VALUES WITH (MODULUS {parts}, REMAINDER {n})"
            for n in range(parts)
        ),
        "INSERT INTO event SELECT * FROM event_whole",
        "ALTER TABLE event ADD CONSTRAINT pk_event PRIMARY KEY (match_id, pos)",
        "ALTER TABLE event ADD CONSTRAINT fk_event_match_id_match FOREIGN KEY (match_id) REFERENCES match (id)",
        # For each statement, so a part needs one of its own: whoever names the part passes the whole's by.
        GUARD.format(table="event"),
        *(GUARD.format(table=f"event_{n}") for n in range(parts)),
    ):
        connection.execute(text(statement))
    if connection.execute(DIFFERENT).scalar():
        raise NotPartitioned("The parts do not hold what the whole held.")
    count = connection.execute(text("SELECT count(*) FROM event")).scalar_one()
    connection.execute(text("DROP TABLE event_whole"))
    return int(count)
