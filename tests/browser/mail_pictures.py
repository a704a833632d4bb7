"""`make screenshots ARGS=mails`: every kind of mail as a mail reader shows it, wide and narrow, in light and dark, with and without its picture.

More words take only those whose names have all of them: ARGS="mails turn 390 dark".
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from app.mail.compose import text_of_mail
from app.platform.database import Database
from app.platform.i18n import LANGUAGES
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Language
from tests.app.mail_gallery import Gallery

WIDTHS = (390, 700)
HEIGHT = 844
PATIENCE = 120_000  # milliseconds, on a busy machine
THEMES = ("light", "dark")
IMAGES = ("images", "bare")


def gallery(folder: Path, language: Language) -> Iterator[tuple[str, EmailMessage]]:
    """Every kind of mail of a service of its own."""
    settings = Settings(
        data_dir=folder,
        base_url="https://chasqui.example",
        mail_from="play@chasqui.example",
        reply_domain="play.chasqui.example",
    )
    database = Database(settings.database_url)
    database.migrate()
    for name, mail in Gallery(Services(settings, database), language).mails():
        yield name, mail.parsed()
    database.close()


def page_of(mail: EmailMessage, images: str) -> str:
    """The HTML of a mail; its picture is in it, or missing as where a reader shows none."""
    page = text_of_mail(mail, "html") or ""
    for part in mail.walk() if images == "images" else ():
        if part.get_content_type() == "image/png":
            cid = str(part["Content-ID"]).strip("<>")
            png = b64encode(part.get_payload(decode=True))  # type: ignore[arg-type]  # of a picture bytes
            page = page.replace(f"cid:{cid}", f"data:image/png;base64,{png.decode()}")
    return page


def take_mails(browser: Browser, folder: Path, words: list[str]) -> int:
    """Pictures of all mails whose names have these words; how many there are."""
    taken = 0
    for language in LANGUAGES:
        with TemporaryDirectory() as made:
            for name, mail in gallery(Path(made), language):
                for width, theme, images in product(WIDTHS, THEMES, IMAGES):
                    title = f"mail-{name}-{width}-{theme}-{images}-{language}"
                    if all(word in title for word in words):
                        take_mail(browser, page_of(mail, images), width, theme, folder / f"{title}.png")  # fmt: skip
                        taken += 1
    return taken


def take_mail(browser: Browser, page: str, width: int, theme: str, to: Path) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHT},
        color_scheme="dark" if theme == "dark" else "light",
        java_script_enabled=False,
    )
    shown = context.new_page()
    shown.set_content(page)
    shown.screenshot(path=to, full_page=True, timeout=PATIENCE)
    context.close()
