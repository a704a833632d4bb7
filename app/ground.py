"""The ground that pages and API stand on: Flask with our guards, languages, errors, logs and files."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import structlog
from flask import Blueprint, Flask
from flask_babel import Babel
from flask_wtf import CSRFProtect

from app import failures, files, front, given, health, i18n, limits, logs, security, who, writing
from app.db import Database, open_database
from app.proxies import TrustedProxies, read_networks
from app.services import KEY, Services
from app.settings import Settings, load

log = structlog.get_logger()


def lay(settings: Settings | None, database: Database | None, config: dict[str, Any]) -> Flask:
    """A Flask application that can do everything but show a page."""
    settings = settings or load()
    services = Services(settings, database or open_database(settings))
    app = Flask("app", static_folder=None, template_folder=str(files.TEMPLATES))
    app.config.update(config)
    app.extensions[KEY] = services
    app.url_map.converters["int"] = given.SmallNumber
    logs.follow(app)
    security.secure(app, services)
    CSRFProtect(app)
    limits.limit(app, services)
    app.after_request(who.note_activity)
    health.measure(app, services.database)
    failures.catch(app)
    speak(app)
    writing.equip(app)
    app.wsgi_app = front.Front(app, services)  # type: ignore[assignment,method-assign]  # Flask's own way to wrap it
    files.serve(app, services)
    if services.https and not settings.proxies:
        # We speak no TLS ourselves, so a proxy does: all its callers would be one to us.
        log.warning(
            "no proxies", problem="CHASQUI_PROXIES is empty: limits count all callers as one"
        )
    app.wsgi_app = TrustedProxies(app.wsgi_app, read_networks(settings.proxies))  # type: ignore[assignment,method-assign]
    return app


def speak(app: Flask) -> None:
    """Chooses the language of each answer; the reader's time zone is asked for where a time is told."""
    babel = Babel(app, locale_selector=lambda: i18n.LOCALES[who.language()])
    babel.domain_instance = i18n.Catalogs()
    i18n.speak_in_pages(app.jinja_env)


def put_on(app: Flask, package: str, *, forms: bool) -> None:
    """Registers the `bp` of every module in a package, if it is there; without forms no form token is asked."""
    spec = find_spec(package)
    for module in iter_modules(spec.submodule_search_locations if spec else ()):
        found = getattr(import_module(f"{package}.{module.name}"), "bp", None)
        if isinstance(found, Blueprint):
            app.register_blueprint(found)
            if not forms:
                app.extensions["csrf"].exempt(found)
