"""Application factory: Flask with middleware, security, languages, error handlers, logs and static files."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import structlog
from flask import Blueprint, Flask
from flask_babel import Babel

from app.http.auth import choose_language, note_activity
from app.http.compression import Compressed, MaskedForms
from app.http.error_handlers import register_error_handlers
from app.http.metrics import measure_requests
from app.http.page_cache import Front
from app.http.proxies import TrustedProxies
from app.http.rate_limits import set_up_limits
from app.http.request_input import SmallNumber
from app.http.request_log import log_requests
from app.http.security import secure_app
from app.http.static_files import serve_static
from app.http.template_helpers import equip_templates
from app.platform.database import Database, open_database
from app.platform.i18n import LOCALES, Catalogs, speak_in_pages
from app.platform.networks import read_networks
from app.platform.paths import TEMPLATES
from app.platform.services import EXTENSION_KEY, Services
from app.platform.settings import Settings, load_settings

log = structlog.get_logger()


def make_flask(
    settings: Settings | None, database: Database | None, config: dict[str, Any]
) -> Flask:
    """A Flask application that can do everything but show a page."""
    settings = settings or load_settings()
    services = Services(settings, database or open_database(settings))
    app = Flask("app", static_folder=None, template_folder=str(TEMPLATES))
    app.config.update(config)
    app.extensions[EXTENSION_KEY] = services
    app.url_map.converters["int"] = SmallNumber
    log_requests(app)
    secure_app(app, services)
    MaskedForms(app)
    set_up_limits(app, services)
    app.after_request(note_activity)
    measure_requests(app, services)
    register_error_handlers(app)
    speak(app)
    equip_templates(app)
    app.wsgi_app = Front(app, services)  # type: ignore[assignment,method-assign]  # Flask's own way to wrap it
    serve_static(app, services)
    app.wsgi_app = Compressed(app.wsgi_app)  # type: ignore[assignment,method-assign]
    if services.https and not settings.proxies:
        # We speak no TLS ourselves, so a proxy does: all its callers would be one to us.
        log.warning(
            "no proxies", problem="CHASQUI_PROXIES is empty: limits count all callers as one"
        )
    app.wsgi_app = TrustedProxies(app.wsgi_app, read_networks(settings.proxies))  # type: ignore[assignment,method-assign]
    return app


def speak(app: Flask) -> None:
    """Chooses the language of each answer; the reader's time zone is asked for where a time is told."""
    babel = Babel(app, locale_selector=lambda: LOCALES[choose_language()])
    babel.domain_instance = Catalogs()
    speak_in_pages(app.jinja_env)


def register_blueprints(app: Flask, package: str, *, forms: bool) -> None:
    """Registers the `bp` of every module in a package, if it is there; without forms no form token is asked."""
    spec = find_spec(package)
    for module in iter_modules(spec.submodule_search_locations if spec else ()):
        found = getattr(import_module(f"{package}.{module.name}"), "bp", None)
        if isinstance(found, Blueprint):
            app.register_blueprint(found)
            if not forms:
                app.extensions["csrf"].exempt(found)
