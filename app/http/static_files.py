"""Static files with fingerprinted names: style, script and pictures."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask, current_app
from whitenoise import WhiteNoise

from app.http.security import add_headers
from app.platform.paths import STATIC
from app.platform.services import Services

HASH_LENGTH = 12


def serve_static(app: Flask, services: Services) -> None:
    """Serves what lies in `static`, under names that change with the content and so never grow stale."""

    def headers(headers: Any, _path: str, _url: str) -> None:
        add_headers(headers, services.https)

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


def asset_address(name: str) -> str:
    """The address of a file in `static`."""
    return f"/static/{current_app.extensions['chasqui-files'][name]}"
