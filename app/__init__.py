"""The service: use cases over the engine, and the pages, API and mails that reach them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

    from app.platform.database import Database
    from app.platform.settings import Settings


def create_app(
    settings: Settings | None = None, database: Database | None = None, **config: Any
) -> Flask:
    """The whole service as a WSGI application; `config` is Flask's, such as RATELIMIT_ENABLED."""
    from app.http.app_factory import make_flask, register_blueprints  # noqa: PLC0415 - the referee and the records need no web

    app = make_flask(settings, database, config)
    register_blueprints(app, "app.web", forms=True)
    register_blueprints(
        app, "app.api", forms=False
    )  # tokens in a header, no cookie: nothing to forge
    return app
