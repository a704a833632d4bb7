"""The bots of Cuzco and Java, by name."""

from __future__ import annotations

from engine.core.bot import Bot
from engine.cuzco.bots.keen import keen
from engine.cuzco.bots.master import master
from engine.cuzco.bots.steady import steady

BOTS: dict[str, Bot] = {"steady": steady, "keen": keen, "master": master}
