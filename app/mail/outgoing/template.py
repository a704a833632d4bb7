"""A mail before it is written: whom to, what about, and the template that says it in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    pass_environment,
    pass_eval_context,
    select_autoescape,
)
from jinja2.filters import do_wordwrap
from jinja2.nodes import EvalContext

from app.platform.i18n import load_catalog, translate_in_page, translate_in_text, translate_sentence
from app.platform.paths import TEMPLATES
from app.platform.tables import Language
from engine.core.sentence import Sentence

Draw = Callable[[str], bytes | None]  # an SVG as a small PNG; None where that cannot be
DECLINED = "declined"


class Unwanted(Exception):
    """Nobody waits for this mail any more; `why` is a word for the mail log."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Declined(Unwanted):
    """Its reader wants none of these, which is nobody's business: for those at the table it counts as sent."""

    def __init__(self) -> None:
        super().__init__(DECLINED)


@dataclass(frozen=True)
class Draft:
    """A mail before it has a language.

    `thread` names what its mails stand together for, `unsubscribe` is where it can be ended without signing
    in, and `picture` draws the board as its reader sees it.
    """

    to: str
    language: Language
    subject: Sentence
    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    thread: str | None = None
    topic: str | None = (
        None  # the subject that all mails of a match have, so that they stay together
    )
    reply_to: str | None = None
    unsubscribe: str | None = None
    in_reply_to: str | None = None  # the Message-ID of the person's mail that this one answers
    picture: Callable[[], str] | None = None


def render_mail(template: str, draft: Draft, **more: Any) -> str:
    values = {
        "language": draft.language,
        "subject": translate_sentence(draft.subject, language=draft.language),
        **{name: spoken(value, draft.language) for name, value in draft.values.items()},
        **more,
    }
    return environment(draft.language).get_template(template).render(values)


def spoken(value: Any, language: Language) -> Any:
    return translate_sentence(value, language=language) if isinstance(value, Sentence) else value


@cache
def environment(language: Language) -> Environment:
    """Templates that speak one language; those that end in .txt are not escaped, for they are no HTML."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.install_gettext_translations(load_catalog(language), newstyle=True)  # type: ignore[attr-defined]
    made.globals["_"] = said_in(language)
    made.filters["wordwrap"] = wrapped
    return made


def said_in(language: Language) -> Callable[..., str]:
    """`_()` straight from the catalog: Jinja's own goes three ways round for every word."""

    @pass_eval_context
    def said(form: EvalContext, words: str, **values: Any) -> str:
        told = translate_in_page if form.autoescape else translate_in_text
        return told(language, words) % values

    return said


@pass_environment
@lru_cache(maxsize=1000)
def wrapped(made: Environment, text: str, width: int, wrapstring: str = "\n") -> str:
    """Jinja's `wordwrap`, which is slow: many lines fit as they are. Words of orders are not broken at hyphens."""
    if len(text) <= width and "\n" not in text:
        return text
    return do_wordwrap(made, text, width, wrapstring=wrapstring, break_on_hyphens=False)
