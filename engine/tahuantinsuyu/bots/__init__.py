"""The bots of Tahuantinsuyu, by name."""

from __future__ import annotations

from engine.core.bot import Bot
from engine.tahuantinsuyu.bots.master import master
from engine.tahuantinsuyu.bots.players import keen, steady

BOTS: dict[str, Bot] = {"steady": steady, "keen": keen, "master": master}
