"""The bots of Inka, by name."""

from __future__ import annotations

from engine.core.bot import Bot
from engine.inka.bots.keen import keen
from engine.inka.bots.master import master
from engine.inka.bots.steady import steady

BOTS: dict[str, Bot] = {"steady": steady, "keen": keen, "master": master}
