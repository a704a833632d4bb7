"""Answers as people write them: every mail reader's habit in every language, above, below and between the quote.

All of it was made for these tests. A language is a row of what mail readers say in it; a reader is a function that
lays out a mail; people add a greeting, a name, numbers before their orders. The quoted mail is one of ours, with
orders in it that nobody gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import count

from tests.app.reply_formats import both, html, page_lines, plain, printable, quoted, sixtyfour

US = "Chasqui <play@games.example>"
ADDRESS = "play@games.example"
LONG = "play+abcdefghjk.0.12.345.aaaaaaaaaaaaaaaaaaaaaaaaaa@games.example"
OURS = """--- Answer above this line ---

It is your turn.
A table in the Andes · Cuzco
Deadline: Thursday, 19 November 2026 at 10:12 (in 3 days)
https://games.example/m/abcdefghjk/play?at=345

SINCE YOUR LAST TURN

- Bo lays a triple tile at e14, e16 and d15, and everybody who looks at it now
  end
- Bo draws a card and takes the open one, the tumi, which nobody had wanted; pass
- Bo ends the turn

ANSWER BY MAIL

  place triple a1 a2 b1
      lay a triple tile
  draw pile
  end

--\x20
position 345
No more mails about this match: https://games.example/unsubscribe/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"""
FRENCH = OURS.replace("Answer above this line", "Répondez au-dessus de cette ligne")
PORTUGUESE = OURS.replace("Answer above this line", "Responda acima desta linha")
ORDERS = ["place triple e14 e16 d15", "draw pile", "end"]


@dataclass(frozen=True)
class Tongue:
    """What mail readers say in one language; {who} is the sender as the reader tells it."""

    dated: str  # above a quote, with the moment
    short: str  # the same, as readers of few words say it
    labels: tuple[str, str, str, str]  # from, sent, to, subject
    original: str
    phone: str
    hello: str
    bye: str


def tongue(text: str) -> Tongue:
    dated, short, labels, original, phone, hello, bye = (part.strip() for part in text.split("|"))
    one, two, three, four = labels.split(",")
    return Tongue(dated, short, (one, two, three, four), original, phone, hello, bye)


TONGUES = {
    code: tongue(text)
    for code, text in {
        "en": "On Mon, Nov 16, 2026 at 10:12 AM {who} wrote: | {who} wrote: | From,Sent,To,Subject | Original Message | Sent from my iPhone | Hello! | Best regards,",
        "fr": "Le lun. 16 nov. 2026 à 10:12, {who} a écrit : | {who} a écrit : | De ,Envoyé ,À ,Objet  | Message d'origine | Envoyé de mon iPhone | Bonjour, | Cordialement,",
        "pt": "Em seg., 16 de nov. de 2026 às 10:12, {who} escreveu: | {who} escreveu: | De,Enviada em,Para,Assunto | Mensagem original | Enviado do meu iPhone | Olá, | Abraços",
        "de": "Am Mo., 16. Nov. 2026 um 10:12 Uhr schrieb {who}: | {who} schrieb: | Von,Gesendet,An,Betreff | Ursprüngliche Nachricht | Von meinem iPhone gesendet | Hallo, | Mit freundlichen Grüßen",
        "es": "El lun, 16 nov 2026 a las 10:12, {who} escribió: | {who} escribió: | De,Enviado el,Para,Asunto | Mensaje original | Enviado desde mi iPhone | Hola, | Saludos",
        "it": "Il giorno lun 16 nov 2026 alle ore 10:12 {who} ha scritto: | {who} ha scritto: | Da,Inviato,A,Oggetto | Messaggio originale | Inviato da iPhone | Ciao, | Cordiali saluti",
        "nl": "Op ma 16 nov 2026 om 10:12 schreef {who}: | {who} schreef: | Van,Verzonden,Aan,Onderwerp | Oorspronkelijk bericht | Verstuurd vanaf mijn iPhone | Hoi, | Met vriendelijke groet,",
        "da": "Den man. 16. nov. 2026 kl. 10.12 skrev {who}: | {who} skrev: | Fra,Sendt,Til,Emne | Oprindelig meddelelse | Sendt fra min iPhone | Hej, | Hilsen",
        "nb": "man. 16. nov. 2026 kl. 10:12 skrev {who}: | {who} skrev: | Fra,Sendt,Til,Emne | Opprinnelig melding | Sendt fra min iPhone | Hei, | Vennlig hilsen",
        "sv": "Den mån 16 nov. 2026 kl 10:12 skrev {who}: | {who} skrev: | Från,Skickat,Till,Ämne | Ursprungligt meddelande | Skickat från min iPhone | Hej! | Hälsningar",
        "fi": "ma 16. marrask. 2026 klo 10.12 {who} kirjoitti: | {who} kirjoitti: | Lähettäjä,Lähetetty,Vastaanottaja,Aihe | Alkuperäinen viesti | Lähetetty iPhonesta | Hei, | Terveisin",
        "pl": "pon., 16 lis 2026 o 10:12 {who} napisał(a): | {who} napisał(a): | Od,Wysłano,Do,Temat | Oryginalna wiadomość | Wysłane z iPhone'a | Cześć, | Pozdrawiam",
        "cs": "po 16. 11. 2026 v 10:12 odesílatel {who} napsal: | {who} napsal: | Od,Odesláno,Komu,Předmět | Původní zpráva | Odesláno z iPhonu | Ahoj, | S pozdravem",
        "sk": "po 16. 11. 2026 o 10:12 {who} napísal(a): | {who} napísal: | Od,Odoslané,Komu,Predmet | Pôvodná správa | Odoslané z iPhonu | Ahoj, | S pozdravom",
        "hu": "{who} ezt írta (időpont: 2026. nov. 16., H, 10:12): | {who} ezt írta: | Feladó,Elküldve,Címzett,Tárgy | Eredeti üzenet | Küldve az iPhone-omról | Szia! | Üdvözlettel",
        "ro": "În lun., 16 nov. 2026 la 10:12, {who} a scris: | {who} a scris: | De la,Trimis,Către,Subiect | Mesaj original | Trimis de pe iPhone | Salutare, | Cu respect",
        "tr": "{who}, 16 Kas 2026 Pzt, 10:12 tarihinde şunu yazdı: | {who} şunu yazdı: | Kimden,Gönderildi,Kime,Konu | Özgün İleti | iPhone'umdan gönderildi | Merhaba, | Saygılarımla",
        "ru": "пн, 16 нояб. 2026 г. в 10:12, {who}: | {who} пишет: | От,Отправлено,Кому,Тема | Исходное сообщение | Отправлено с iPhone | Привет! | С уважением,",
        "uk": "пн, 16 лист. 2026 р. о 10:12 {who} пише: | {who} пише: | Від,Надіслано,Кому,Тема | Оригінальне повідомлення | Надіслано з iPhone | Привіт! | З повагою",
        "bg": "На пн, 16.11.2026 г. в 10:12 {who} написа: | {who} написа: | От,Изпратено,До,Относно | Оригинално съобщение | Изпратено от моя iPhone | Здравейте, | Поздрави",
        "el": "Στις Δευ 16 Νοε 2026 στις 10:12 π.μ., ο/η {who} έγραψε: | Ο/Η {who} έγραψε: | Από,Στάλθηκε,Προς,Θέμα | Αρχικό μήνυμα | Στάλθηκε από το iPhone μου | Γεια σας, | Με εκτίμηση",
        "ja": "2026年11月16日(月) 10:12 {who}: | {who} のメール: | 差出人,送信日時,宛先,件名 | 元のメッセージ | iPhoneから送信 | こんにちは | よろしくお願いします",
        "zh": "{who} 于2026年11月16日周一 10:12写道： | {who} 写道： | 发件人,发送时间,收件人,主题 | 原始邮件 | 发自我的 iPhone | 你好 | 谢谢",
        "ko": "2026년 11월 16일 (월) 오전 10:12, {who}님이 작성: | {who} 작성: | 보낸 사람,보낸 날짜,받는 사람,제목 | 원본 메시지 | 나의 iPhone에서 보냄 | 안녕하세요 | 감사합니다",
        "he": "בתאריך יום ב׳, 16 בנוב׳ 2026 ב-10:12 מאת {who}: | {who} כתב: | מאת,נשלח,אל,נושא | הודעה מקורית | נשלח מה-iPhone שלי | שלום | בברכה",
        "ar": "في الاثنين، 16 نوفمبر 2026 في 10:12 ص تمت كتابة ما يلي بواسطة {who}: | كتب {who}: | من,تاريخ الإرسال,إلى,الموضوع | الرسالة الأصلية | أرسلت من الـ iPhone | مرحبا | مع تحياتي",
        "hi": "सोम, 16 नव॰ 2026 को 10:12 पूर्वाह्न {who} ने लिखा: | {who} ने लिखा: | प्रेषक,भेजा गया,प्रति,विषय | मूल संदेश | मेरे iPhone से भेजा गया | नमस्ते | धन्यवाद",
        "th": "ในวันที่ จ. 16 พ.ย. 2026 เวลา 10:12 {who} เขียนว่า: | {who} เขียน: | จาก,ส่งเมื่อ,ถึง,เรื่อง | ข้อความต้นฉบับ | ส่งจาก iPhone ของฉัน | สวัสดี | ขอบคุณ",
        "vi": "Vào Th 2, 16 thg 11, 2026 vào lúc 10:12 {who} đã viết: | {who} đã viết: | Từ,Đã gửi,Tới,Chủ đề | Thư gốc | Đã gửi từ iPhone của tôi | Xin chào, | Trân trọng",
        "id": "Pada Sen, 16 Nov 2026 pukul 10.12 {who} menulis: | {who} menulis: | Dari,Dikirim,Kepada,Subjek | Pesan asli | Dikirim dari iPhone saya | Halo, | Salam",
        "et": "Kuupäev E, 16. november 2026 kell 10:12 kirjutas {who}: | {who} kirjutas: | Saatja,Saadetud,Adressaat,Teema | Algne kiri | Saadetud minu iPhone'ist | Tere! | Lugupidamisega",
        "lv": "pirmd., 2026. g. 16. nov., plkst. 10:12 — lietotājs {who} rakstīja: | {who} rakstīja: | No,Nosūtīts,Kam,Tēma | Sākotnējā ziņa | Nosūtīts no mana iPhone | Sveiki, | Ar cieņu",
        "lt": "2026-11-16, pr, 10:12 {who} rašė: | {who} rašė: | Nuo,Išsiųsta,Kam,Tema | Pradinis laiškas | Išsiųsta iš mano iPhone | Labas, | Pagarbiai",
        "sl": "V pon., 16. nov. 2026 ob 10:12 je oseba {who} napisala: | {who} je napisal: | Od,Poslano,Za,Zadeva | Izvirno sporočilo | Poslano z mojega iPhona | Živjo, | Lep pozdrav",
        "hr": "pon, 16. stu 2026. u 10:12 {who} napisao je: | {who} je napisao: | Šalje,Poslano,Prima,Predmet | Izvorna poruka | Poslano s mog iPhonea | Bok, | Lijep pozdrav",
        "ca": "Missatge de {who} del dia dl., 16 de nov. 2026 a les 10:12: | {who} va escriure: | De,Enviat,Per a,Assumpte | Missatge original | Enviat des del meu iPhone | Hola, | Salutacions",
    }.items()
}  # fmt: skip


# What people do around their orders; {hello} and {bye} are the language's.
HABITS = {
    "plain": "place triple e14 e16 d15\ndraw pile\nend",
    "capitals": "Place triple E14 E16 D15.\nDraw pile.\nEnd.",
    "one line": "place triple e14 e16 d15; draw pile; end",
    "numbered": "1. place triple e14 e16 d15\n2. draw pile\n3. end",
    "brackets": "1) place triple e14 e16 d15\n2) draw pile\n3) end",
    "bullets": "• place triple e14 e16 d15\n• draw pile\n• end",
    "dashes": "- place triple e14 e16 d15\n- draw pile\n- end",
    "letters": "a) place triple e14 e16 d15\nb) draw pile\nc) end",
    "arrows": "-> place triple e14 e16 d15\n-> draw pile\n-> end",
    "smile": "place triple e14 e16 d15\ndraw pile\nend 👍\n:-)",
    "bold": "*place triple* e14 e16 d15\n*draw pile*\n*end*",
    "greeting": "{hello}\n\nplace triple e14 e16 d15\ndraw pile\nend",
    "closing": "place triple e14 e16 d15\ndraw pile\nend\n\n{bye}\nDavid",
    "close closing": "place triple e14 e16 d15\ndraw pile\nend\n{bye}\nDavid",
    "name": "place triple e14 e16 d15\ndraw pile\nend\n\nDavid",
    "polite": "{hello}\n\nplace triple e14 e16 d15\ndraw pile\nend\n\n{bye}\n\nHelen Brand",
    "phone": "place triple e14 e16 d15\ndraw pile\nend\n\n{phone}",
    "in brackets": "place triple e14 e16 d15\ndraw pile\nend\n\n({phone})",
    "signature": "place triple e14 e16 d15\ndraw pile\nend\n\n-- \nDavid Build\nend of the world",
    "comments": "# here we go\nplace triple e14 e16 d15  # the best I see\n\ndraw pile\nend",
}
SIGNED = ("signature",)  # ends everything: no reader lets it stand between the lines of a quote


# Readers


def headed(text: str) -> str:
    """A heading that is too long for one line, broken where readers break it."""
    if len(text) <= 76:
        return text
    cut = text.rfind(" ", 0, 76)
    return f"{text[:cut]}\n{text[cut + 1 :]}"


def block(said: Tongue, bold: str = "") -> str:
    values = (US, "Monday, 16 November 2026 10:12", "ana@example.org", "A table: your turn")
    pairs = zip(said.labels, values, strict=True)
    return "\n".join(f"{bold}{label}:{bold} {value}" for label, value in pairs)


def marked(margin: str) -> str:
    return "\n".join(f"{margin}{line}".rstrip() for line in OURS.split("\n"))


def bit(text: str, first: int, last: int | None) -> str:
    return "\n".join(text.split("\n")[first:last])


Placed = Callable[[str, str, str], str]  # heading, quote, typed
PLACES: dict[str, Placed] = {
    "above": lambda heading, quote, typed: f"{typed}\n\n{heading}\n\n{quote}\n",
    "below": lambda heading, quote, typed: f"{heading}\n{quote}\n\n{typed}\n",
    "between": lambda heading, quote, typed: (
        f"{heading}\n{bit(quote, 0, 8)}\n\n{typed}\n\n{bit(quote, 8, None)}\n"
    ),
}
Reader = Callable[[Tongue, Placed, str], bytes]


def gmail(said: Tongue, placed: Placed, typed: str) -> bytes:
    return sixtyfour(placed(headed(said.dated.format(who=US)), quoted(OURS), typed))


def gmail_phone(said: Tongue, placed: Placed, typed: str) -> bytes:
    heading = said.dated.format(who=f"Chasqui <{LONG}>").replace(f"<{LONG}>", f"<\n{LONG}>")
    return printable(placed(heading, quoted(OURS), typed))


def gmail_page(said: Tongue, placed: Placed, typed: str) -> bytes:
    heading = f'<div dir="ltr" class="gmail_attr">{escape(said.dated.format(who=US))}<br></div>'
    quote = f'<blockquote class="gmail_quote">{page_lines(OURS)}</blockquote>'
    return html(
        in_page(placed, heading, quote, f'<div dir="ltr">{page_lines(typed)}</div>', "blockquote")
    )


def in_page(placed: Placed, heading: str, quote: str, own: str, element: str) -> str:
    """The three parts of a page; a quote that is answered between its lines is closed and opened anew."""
    if placed is PLACES["above"]:
        return f"<html><body>{own}<br>{heading}{quote}</body></html>"
    if placed is PLACES["below"]:
        return f"<html><body>{heading}{quote}{own}</body></html>"
    middle = quote.index("<div>SINCE")
    return (
        f"<html><body>{heading}{quote[:middle]}</{element}>{own}<{element}>{quote[middle:]}"
        "</body></html>"
    )


def apple_mail(said: Tongue, placed: Placed, typed: str) -> bytes:
    return printable(placed(said.dated.format(who=US), quoted(OURS), typed))


def iphone(said: Tongue, placed: Placed, typed: str) -> bytes:
    heading = quoted(said.dated.format(who=US)) + "\n> "
    signed = f"{typed}\n\n{said.phone}" if placed is PLACES["above"] else typed
    return plain(placed(heading, quoted(OURS), signed))


def apple_page(said: Tongue, placed: Placed, typed: str) -> bytes:
    heading = f'<blockquote type="cite">{escape(said.dated.format(who=US))}<br><br></blockquote>'
    quote = f'<blockquote type="cite">{page_lines(OURS)}</blockquote>'
    return html(in_page(placed, heading, quote, page_lines(typed), "blockquote"))


def thunderbird(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(
        placed(said.dated.format(who="Chasqui"), quoted(OURS), typed), more="; format=flowed"
    )


def k9(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.dated.format(who=US), quoted(OURS), f"{typed}\n{said.phone}"))


def mutt(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.short.format(who="Chasqui"), quoted(OURS), typed))


def neomutt(said: Tongue, placed: Placed, typed: str) -> bytes:
    """Without a heading."""
    return plain(placed("", quoted(OURS), typed))


def alpine(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.dated.format(who="Chasqui"), marked("| "), typed))


def aerc(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.dated.format(who=ADDRESS), quoted(OURS).replace("> ", ">"), typed))


def mailx(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.short.format(who=US), marked("\t").replace("\n\n", "\n\t\n"), typed))


def gnus(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.short.format(who=US), marked("C> "), typed))


def kmail(said: Tongue, placed: Placed, typed: str) -> bytes:
    return printable(placed(said.dated.format(who="Chasqui"), quoted(OURS), typed))


def claws(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.dated.format(who=US) + "\n", quoted(OURS), typed))


def evolution(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.dated.format(who="Chasqui"), quoted(OURS), typed), more="; delsp=no")


def roundcube(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(placed(said.dated.format(who="Chasqui"), quoted(FRENCH), typed))


def fairemail(said: Tongue, placed: Placed, typed: str) -> bytes:
    page = in_page(
        placed,
        f"<p>{escape(said.dated.format(who=US))}</p>",
        f"<blockquote>{page_lines(PORTUGUESE)}</blockquote>",
        "".join(f"<p>{escape(line)}</p>" for line in typed.split("\n") if line),
        "blockquote",
    )
    return html(page)


def tutanota(said: Tongue, placed: Placed, typed: str) -> bytes:
    page = in_page(
        placed,
        f"<div>{escape(said.short.format(who=ADDRESS))}</div>",
        f"<blockquote class=tutanota_quote>{page_lines(OURS)}</blockquote>",
        f'<div style="white-space: pre-wrap">{escape(typed)}</div>',
        "blockquote",
    )
    return html(page)


def pre_page(said: Tongue, placed: Placed, typed: str) -> bytes:
    page = in_page(
        placed,
        f"<div>{escape(said.dated.format(who=US))}</div>",
        f"<blockquote>{page_lines(OURS)}</blockquote>",
        f"<pre>{escape(typed)}</pre>",
        "blockquote",
    )
    return html(page)


def proton(said: Tongue, placed: Placed, typed: str) -> bytes:
    """Two headings: its own dash line, and the sentence below it."""
    quote = quoted(OURS)
    return printable(placed(f"------- {said.original} -------\n{said.dated.format(who=US)}", quote, typed))  # fmt: skip


def yahoo(said: Tongue, placed: Placed, typed: str) -> bytes:
    """Text with an indented quote, without marks."""
    indented = "\n".join(f"    {line}" for line in OURS.split("\n"))
    return plain(placed(f"    {said.dated.format(who=US)}\n", indented, typed))


def pgp(said: Tongue, placed: Placed, typed: str) -> bytes:
    dashed = typed.replace("\n-", "\n- -")
    dashed = f"- {dashed}" if dashed.startswith("-") else dashed
    body = placed(said.dated.format(who=US), quoted(OURS), dashed)
    return plain(
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{body}\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAdFiEE\n=abcd\n-----END PGP SIGNATURE-----\n"
    )


def listed(said: Tongue, placed: Placed, typed: str) -> bytes:
    """A provider puts its own words below whatever is sent."""
    foot = "\n-- \nend\nThis mail was checked for viruses.\nhttps://example.org"
    return plain(placed(said.dated.format(who=US), quoted(OURS), typed) + foot)


def elided(said: Tongue, placed: Placed, typed: str) -> bytes:
    quote = f"{bit(quoted(OURS), 0, 5)}\n[...]\n{bit(quoted(OURS), 9, None)}"
    return plain(placed(said.dated.format(who=US), quote, typed))


def notes(said: Tongue, placed: Placed, typed: str) -> bytes:
    """A sender who stands in the address book under another name, and no address."""
    return plain(placed(said.short.format(who="The Game"), quoted(OURS), typed))


def header_block(said: Tongue, placed: Placed, typed: str) -> bytes:
    """The headers of the old mail above a quote that has marks."""
    return plain(placed(block(said), quoted(OURS), typed))


def dashed_block(said: Tongue, placed: Placed, typed: str) -> bytes:
    heading = f"-----{said.original}-----\n{block(said, '*')}"
    return printable(placed(heading, quoted(OURS), typed))


def outlook_text(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(f"{typed}\n\n-----{said.original}-----\n{block(said)}\n\n{OURS}\n")


def outlook_block(said: Tongue, placed: Placed, typed: str) -> bytes:
    return printable(f"{typed}\n\n{block(said, '*')}\n\n{OURS}\n")


def outlook_web(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(f"{typed}\n________________________________\n{block(said)}\n\n{OURS}\n")


def outlook_phone(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(f"{typed}\n\n{said.phone}\n________________________________\n{block(said)}\n")


def outlook_page(said: Tongue, placed: Placed, typed: str) -> bytes:
    lines = "".join(
        f'<p class="MsoNormal">{escape(line) or "&nbsp;"}<o:p></o:p></p>'
        for line in typed.split("\n")
    )
    head = "<br>".join(
        f"<b>{escape(line.partition(':')[0])}:</b>{escape(line.partition(':')[2])}"
        for line in block(said).split("\n")
    )
    return html(
        f"<html><head><style>p.MsoNormal {{margin:0}}</style></head><body>{lines}"
        f'<div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">{head}</p></div>'
        f"{page_lines(OURS)}</body></html>"
    )


def outlook_broken(said: Tongue, placed: Placed, typed: str) -> bytes:
    """The sender's address does not fit beside the name."""
    head = block(said).replace(US, f"Chasqui \n<{LONG}> ")
    return plain(f"{typed}\n\n{head}\n\n{OURS}\n")


def windows_mail(said: Tongue, placed: Placed, typed: str) -> bytes:
    """Another name from the address book, and no address."""
    return plain(f"{typed}\n\n{block(said).replace(US, 'The Game')}\n\n{OURS}\n")


def zoho(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(f"{typed}\n\n---- {said.dated.format(who=ADDRESS).rstrip(': ：')} ----\n\n{OURS}")


def undated(said: Tongue, placed: Placed, typed: str) -> bytes:
    """A heading without a colon, directly under the orders."""
    heading = said.dated.format(who="The Game").rstrip(": ：")
    return plain(placed(heading, quoted(OURS), typed).replace("\n\n" + heading, "\n" + heading))


def zimbra(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(f"{typed}\n\n----- {said.original} -----\n{block(said)}\n\n{OURS}")


def samsung(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(f"{typed}\n\n-------- {said.original} --------\n{block(said)}\n\n{OURS}")


def gmx(said: Tongue, placed: Placed, typed: str) -> bytes:
    return both(
        f"{typed}\n\n{block(said)}\n\n{OURS}", f"<div>{page_lines(typed)}</div>{page_lines(OURS)}"
    )


def mail_ru(said: Tongue, placed: Placed, typed: str) -> bytes:
    """The whole old mail without a mark, under a heading of one line."""
    return plain(f"{typed}\n\n{said.dated.format(who=US)}\n\n{OURS}")


def bare_marker(said: Tongue, placed: Placed, typed: str) -> bytes:
    return plain(f"{typed}\n\n{said.short.format(who=ADDRESS)}\n{OURS}".replace("---", "—"))


EVERYWHERE: tuple[Reader, ...] = (gmail, gmail_phone, gmail_page, apple_mail, iphone, apple_page, thunderbird, k9, mutt, neomutt, alpine, aerc, mailx, gnus, kmail, claws, evolution, roundcube, fairemail, tutanota, pre_page, yahoo, pgp, listed, elided, notes, undated, proton, header_block, dashed_block)  # fmt: skip
ABOVE: tuple[Reader, ...] = (outlook_text, outlook_block, outlook_web, outlook_phone, outlook_page, outlook_broken, windows_mail, zoho, zimbra, samsung, gmx, mail_ru, bare_marker)  # fmt: skip


@dataclass(frozen=True)
class Layout:
    name: str
    place: str
    raw: bytes
    empty: bytes  # the same answer of somebody who wrote nothing


def layouts() -> Iterator[Layout]:
    """Every reader in every language at every place that it allows, with the habits of people in turn."""
    turn = count()
    for code, said in TONGUES.items():
        for reader in (*EVERYWHERE, *ABOVE):
            for place, placed in PLACES.items() if reader in EVERYWHERE else [("above", PLACES["above"])]:  # fmt: skip
                names = [name for name in HABITS if place == "above" or name not in SIGNED]
                habit = names[next(turn) % len(names)]
                typed = HABITS[habit].format(hello=said.hello, bye=said.bye, phone=said.phone)
                name = f"{reader.__name__} {code} {place}, {habit}"
                yield Layout(name, place, reader(said, placed, typed), reader(said, placed, ""))
