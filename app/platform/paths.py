"""Where the files of the service lie."""

from __future__ import annotations

from pathlib import Path

APP = Path(__file__).resolve().parent.parent
STATIC = APP / "static"
TEMPLATES = APP.parent / "templates"
MIGRATIONS = APP / "migrations"
TRANSLATIONS = APP / "translations"
