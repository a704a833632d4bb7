"""The files of the pages: style, script and pictures."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask, current_app
from whitenoise import WhiteNoise

from app import security
from app.services import Services

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent.parent / "templates"
HASH_LENGTH = 12


def serve(app: Flask, services: Services) -> None:
    """Serves what lies in `static`, under names that change with the content and so never grow stale."""

    def headers(headers: Any, _path: str, _url: str) -> None:
        security.add_headers(headers, services.https)

    names = {path.relative_to(STATIC).as_posix(): path for path in sorted(STATIC.rglob("*.*"))}
    hashed = {name: hashed_name(name, path) for name, path in names.items()}
    served = WhiteNoise(
        app.wsgi_app,
        allow_all_origins=False,
        add_headers_function=headers,
        immutable_file_test=lambda _path, url: url.removeprefix("/static/") in hashed.values(),
    )
    for name, path in names.items():
        for url in (name, hashed[name]):
            served.add_file_to_dictionary(f"/static/{url}", str(path))
    app.extensions["chasqui-files"] = hashed
    app.wsgi_app = served  # type: ignore[method-assign]  # Flask's own way to wrap it


def hashed_name(name: str, path: Path) -> str:
    stem, _, ending = name.rpartition(".")
    return f"{stem}.{sha256(path.read_bytes()).hexdigest()[:HASH_LENGTH]}.{ending}"


def asset(name: str) -> str:
    """The address of a file in `static`."""
    return f"/static/{current_app.extensions['chasqui-files'][name]}"
