"""Answers as mail readers write them, in English, French and Portuguese: above the quote, and below it.

Each takes the lines that a person typed and gives the whole mail. The quoted mail is one of ours, with orders in
it that nobody gave.
"""

from __future__ import annotations

import quopri
from base64 import b64encode
from collections.abc import Callable
from html import escape

US = "Chasqui <play@chasqui.example>"
OURS = {
    "en": "--- Answer above this line ---\n\nIt is your turn in A table.\n\nend\ndraw pile\nbid tumi",
    "fr": "--- Répondez au-dessus de cette ligne ---\n\nC’est à vous dans A table.\n\nend\ndraw pile",
    "pt": "--- Responda acima desta linha ---\n\nÉ a sua vez em A table.\n\nend\ndraw pile",
}
HEADING = {
    "gmail en": "On Mon, Nov 16, 2026 at 10:12 AM Chasqui <play@chasqui.example> wrote:",
    "gmail long": "On Mon, Nov 16, 2026 at 10:12 AM Chasqui\n<play+abcdefghjk.0.12.345.aaaaaaaaaaaaaaaaaaaaaaaaaa@chasqui.example>\nwrote:",
    "gmail fr": "Le lun. 16 nov. 2026 à 10:12, Chasqui <play@chasqui.example> a écrit :",
    "gmail pt": "Em seg., 16 de nov. de 2026 às 10:12, Chasqui <play@chasqui.example> escreveu:",
    "apple en": "On 16 Nov 2026, at 10:12, Chasqui <play@chasqui.example> wrote:",
    "apple fr": "Le 16 nov. 2026 à 10:12, Chasqui <play@chasqui.example> a écrit :",
    "apple pt": "Em 16 de nov. de 2026, à(s) 10:12, Chasqui <play@chasqui.example> escreveu:",
    "thunderbird en": "On 16/11/2026 10:12, Chasqui wrote:",
    "thunderbird fr": "Le 16/11/2026 à 10:12, Chasqui a écrit :",
    "thunderbird pt": "Em 16/11/2026 10:12, Chasqui escreveu:",
    "portugal": "No dia 16 de novembro de 2026 às 10:12, Chasqui <play@chasqui.example> escreveu:",
}
OUTLOOK = {
    "en": "-----Original Message-----\nFrom: Chasqui <play@chasqui.example> \nSent: Monday, November 16, 2026 10:12 AM\nTo: ana@example.org\nSubject: Your turn",
    "fr": "-----Message d'origine-----\nDe : Chasqui <play@chasqui.example> \nEnvoyé : lundi 16 novembre 2026 10:12\nÀ : ana@example.org\nObjet : À vous",
    "pt": "-----Mensagem original-----\nDe: Chasqui <play@chasqui.example> \nEnviada em: segunda-feira, 16 de novembro de 2026 10:12\nPara: ana@example.org\nAssunto: Sua vez",
}
BLOCK = {  # newer Outlooks draw no line of words
    language: "\n".join(head.split("\n")[1:]) for language, head in OUTLOOK.items()
}
SENT_FROM = {
    "en": "Sent from my iPhone",
    "fr": "Envoyé de mon iPhone",
    "pt": "Enviado do meu iPhone",
}
GET_OUTLOOK = {
    "en": "Get Outlook for Android <https://aka.ms/x>",
    "fr": "Télécharger Outlook pour Android",
    "pt": "Obter o Outlook para Android",
}


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def mail(body: bytes, kind: str, encoding: str = "8bit", **headers: str) -> bytes:
    """A mail of one part."""
    lines = [*(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    lines += [
        "MIME-Version: 1.0",
        f"Content-Type: {kind}",
        f"Content-Transfer-Encoding: {encoding}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + b"\r\n".join(body.splitlines())


def plain(text: str, charset: str = "utf-8", more: str = "") -> bytes:
    return mail(text.encode(charset, "xmlcharrefreplace"), f"text/plain; charset={charset}{more}")


def printable(text: str, charset: str = "utf-8") -> bytes:
    body = quopri.encodestring(text.encode(charset))
    return mail(body, f'text/plain; charset="{charset}"', "quoted-printable")


def sixtyfour(text: str, charset: str = "utf-8") -> bytes:
    code = b64encode(text.encode(charset))
    body = b"\n".join(code[n : n + 76] for n in range(0, len(code), 76))
    return mail(body, f"text/plain; charset={charset}", "base64")


def html(text: str, charset: str = "utf-8") -> bytes:
    return mail(text.encode(charset, "xmlcharrefreplace"), f"text/html; charset={charset}")


def both(text: str, page: str) -> bytes:
    """Text and HTML, as most readers send."""
    parts = [b"--=_x\n" + part + b"\n" for part in (plain(text), html(page))]
    return mail(b"".join(parts) + b"--=_x--\n", 'multipart/alternative; boundary="=_x"')


def page_lines(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))


def gmail_page(typed: str, heading: str, language: str) -> str:
    first, *rest = escape(typed).split("\n")
    lines = first + "".join(f"<div>{line or '<br>'}</div>" for line in rest)
    return (
        f'<div dir="ltr">{lines}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{escape(heading)}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{page_lines(OURS[language])}'
        "</blockquote></div>"
    )


def outlook_page(typed: str, language: str) -> str:
    """The desktop's: a paragraph a line, and headers of the old mail under a border."""
    lines = "".join(
        f'<p class="MsoNormal">{escape(line) or "&nbsp;"}<o:p></o:p></p>'
        for line in typed.split("\n")
    )
    head = "<br>".join(
        f"<b>{escape(line.partition(':')[0])}:</b>{escape(line.partition(':')[2])}"
        for line in BLOCK[language].split("\n")
    )
    return (
        "<html><head><style><!-- p.MsoNormal {margin:0} --></style></head><body><div class=WordSection1>"
        f'{lines}<p class="MsoNormal">&nbsp;</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt">'
        f'<p class="MsoNormal">{head}</p></div></div>{page_lines(OURS[language])}</div></body></html>'
    )


def outlook_web_page(typed: str, language: str) -> str:
    return (
        f'<div class="elementToProof">{page_lines(typed)}</div><div id="appendonsend"></div>'
        f'<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">'
        f"{page_lines(BLOCK[language])}</div>{page_lines(OURS[language])}"
    )


def apple_page(typed: str, heading: str, language: str) -> str:
    return (
        f"<html><body>{page_lines(typed)}<br id='lineBreakAtBeginningOfSignature'><div dir='ltr'>"
        f"{SENT_FROM[language]}</div><div dir='ltr'><br><blockquote type='cite'>{escape(heading)}<br><br>"
        f"</blockquote></div><blockquote type='cite'>{page_lines(OURS[language])}</blockquote></body></html>"
    )


Format = Callable[[str], bytes]
FORMATS: dict[str, Format] = {}
LANGUAGES = ("en", "fr", "pt")

for word in LANGUAGES:
    for reader in ("gmail", "apple", "thunderbird"):
        top = f"\n\n{HEADING[f'{reader} {word}']}\n\n{quoted(OURS[word])}\n"
        FORMATS[f"{reader} {word}, text"] = lambda typed, top=top: plain(typed + top)
        FORMATS[f"{reader} {word}, quoted-printable"] = lambda typed, top=top: printable(
            typed + top
        )
        FORMATS[f"{reader} {word}, base64"] = lambda typed, top=top: sixtyfour(typed + top)
        signed = f"\n-- \nAna Silva\nend\n{top}"
        FORMATS[f"{reader} {word}, signed"] = lambda typed, end=signed: plain(typed + end)
        below = f"{HEADING[f'{reader} {word}']}\n{quoted(OURS[word])}\n\n"
        FORMATS[f"{reader} {word}, below"] = lambda typed, head=below: plain(head + typed)
        FORMATS[f"{reader} {word}, below, signed"] = lambda typed, head=below: plain(
            f"{head}{typed}\n\n-- \nAna\n"
        )
        FORMATS[f"{reader} {word}, windows"] = lambda typed, top=top: plain(
            typed + top, "windows-1252"
        )
    FORMATS[f"gmail {word}, both"] = lambda typed, word=word: both(
        f"{typed}\n\n{HEADING[f'gmail {word}']}\n{quoted(OURS[word])}",
        gmail_page(typed, HEADING[f"gmail {word}"], word),
    )
    FORMATS[f"gmail {word}, html"] = lambda typed, word=word: html(
        gmail_page(typed, HEADING[f"gmail {word}"], word)
    )
    FORMATS[f"apple {word}, iphone"] = lambda typed, word=word: plain(
        f"{typed}\n\n{SENT_FROM[word]}\n\n{quoted(HEADING[f'apple {word}'])}\n> \n{quoted(OURS[word])}"
    )
    FORMATS[f"apple {word}, html"] = lambda typed, word=word: html(
        apple_page(typed, HEADING[f"apple {word}"], word)
    )
    FORMATS[f"thunderbird {word}, flowed"] = lambda typed, word=word: plain(
        f"{typed}\n\n{HEADING[f'thunderbird {word}']}\n{quoted(OURS[word])}", more="; format=flowed"
    )
    FORMATS[f"outlook {word}, text"] = lambda typed, word=word: plain(
        f"{typed}\n\n{OUTLOOK[word]}\n\n{OURS[word]}", "windows-1252"
    )
    FORMATS[f"outlook {word}, block"] = lambda typed, word=word: printable(
        f"{typed}\n\n{BLOCK[word]}\n\n{OURS[word]}", "windows-1252"
    )
    FORMATS[f"outlook {word}, html"] = lambda typed, word=word: html(
        outlook_page(typed, word), "windows-1252"
    )
    FORMATS[f"outlook {word}, web"] = lambda typed, word=word: plain(
        f"{typed}\n________________________________\n{BLOCK[word]}\n\n{OURS[word]}"
    )
    FORMATS[f"outlook {word}, web html"] = lambda typed, word=word: html(
        outlook_web_page(typed, word)
    )
    FORMATS[f"outlook {word}, phone"] = lambda typed, word=word: plain(
        f"{typed}\n\n{GET_OUTLOOK[word]}\n________________________________\n{BLOCK[word]}\n"
    )
    FORMATS[f"any {word}, marker alone"] = lambda typed, word=word: plain(
        f"{typed}\n{OURS[word]}".replace("---", "—")
    )
FORMATS["gmail en, heading on three lines"] = lambda typed: plain(
    f"{typed}\n\n{HEADING['gmail long']}\n\n{quoted(OURS['en'])}"
)
FORMATS["gmail pt, portugal"] = lambda typed: plain(
    f"{typed}\n\n{HEADING['portugal']}\n\n{quoted(OURS['pt'])}"
)
