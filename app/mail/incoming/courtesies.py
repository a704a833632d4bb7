"""What people and their mail readers write around an answer, in many languages: greetings, closings, advertisements."""

from __future__ import annotations

import re


def phrases(told: str) -> frozenset[str]:
    """The phrases of a table, as they are compared."""
    return frozenset(phrase.strip().casefold() for phrase in told.split("|"))


GREETINGS = phrases(
    """hello|hi|hey|hi all|hello all|hi there|hello there|good morning|good evening|good day|dear all|greetings|
    bonjour|bonsoir|salut|coucou|bonjour à tous|olá|ola|oi|oi gente|bom dia|boa tarde|boa noite|hallo|moin|servus|
    guten morgen|guten tag|guten abend|liebe alle|grüezi|hola|buenos días|buenos dias|buenas|buenas tardes|buenas noches|
    ciao|salve|buongiorno|buonasera|ciao a tutti|goedemorgen|goedemiddag|goedenavond|hoi|dag|beste allen|hej|hejsan|
    hej alla|god morgen|god dag|god kväll|hei|heippa|moi|terve|hyvää huomenta|cześć|czesc|witam|dzień dobry|dzien dobry|
    ahoj|dobrý den|dobry den|zdravím|szia|sziasztok|jó napot|kedves mind|salutare|bună|buna|bună ziua|merhaba|selam|
    günaydın|iyi günler|привет|здравствуйте|добрый день|доброе утро|вітаю|привіт|добрий день|здравей|здравейте|γεια|
    γεια σας|καλημέρα|こんにちは|おはようございます|お世話になっております|你好|您好|大家好|안녕하세요|안녕|
    שלום|היי|مرحبا|السلام عليكم|नमस्ते|สวัสดี|xin chào|chào|halo|selamat pagi|kumusta|tere|tervist|sveiki|labas|živjo|
    bok|pozdrav svima|добар дан|halló|góðan daginn|kaixo|bones|dia duit|shwmae"""
)
CLOSINGS = phrases(
    """best|best regards|kind regards|warm regards|regards|best wishes|all the best|cheers|thanks|thank you|many thanks|
    thx|ta|take care|sincerely|yours|yours sincerely|yours truly|bye|see you|greetings|love|good luck|have fun|
    cordialement|bien cordialement|bien à vous|amicalement|merci|merci d'avance|à bientôt|bises|salutations|
    abraço|abraços|abs|um abraço|obrigado|obrigada|atenciosamente|att|cumprimentos|até logo|até mais|beijos|
    saludos|un saludo|saludos cordiales|gracias|un abrazo|atentamente|hasta luego|saludos a todos|
    mit freundlichen grüßen|mit freundlichen gruessen|freundliche grüße|viele grüße|liebe grüße|beste grüße|
    schöne grüße|gruß|gruss|grüße|mfg|lg|vg|danke|vielen dank|bis bald|tschüss|ciao|servus|
    cordiali saluti|saluti|distinti saluti|grazie|un saluto|a presto|buona giornata|
    met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|groet|groeten|groetjes|mvg|bedankt|dank je|
    hilsen|med venlig hilsen|venlig hilsen|mvh|vennlig hilsen|med vennlig hilsen|beste hilsen|takk|tak|
    hälsningar|med vänliga hälsningar|vänliga hälsningar|vänligen|tack|hej då|
    terveisin|ystävällisin terveisin|t|terv|kiitos|parhain terveisin|
    pozdrawiam|z poważaniem|serdecznie pozdrawiam|pozdrowienia|dziękuję|dzięki|
    s pozdravem|pozdrav|hezký den|děkuji|díky|s pozdravom|ďakujem|
    üdvözlettel|üdv|köszönöm|tisztelettel|cu respect|cu stimă|mulțumesc|salutări|o zi bună|
    saygılarımla|iyi günler|teşekkürler|sevgiler|selamlar|
    с уважением|с наилучшими пожеланиями|спасибо|всего доброго|до встречи|з повагою|дякую|поздрави|благодаря|
    με εκτίμηση|φιλικά|ευχαριστώ|χαιρετισμούς|よろしくお願いします|よろしくお願いいたします|ありがとうございます|敬具|
    谢谢|此致|敬礼|祝好|謝謝|감사합니다|고맙습니다|드림|בברכה|תודה|مع تحياتي|شكرا|تحياتي|धन्यवाद|सादर|
    ขอบคุณ|ด้วยความเคารพ|trân trọng|cảm ơn|salam|hormat saya|terima kasih|salamat|lugupidamisega|tervitades|aitäh|
    ar cieņu|paldies|pagarbiai|ačiū|lep pozdrav|hvala|lijep pozdrav|срдачан поздрав|хвала|
    kveðja|bestu kveðjur|takk fyrir|agur|salutacions|gràcies|le meas|cofion|dankie|groete"""
)


# "Sent from my phone", as readers and shops write it.
SENT_FROM = re.compile(
    r"[\W_]*(sent (from|with|via|by|using)|get outlook|envoyé (de|depuis|à partir|avec)|enviad[oa] (do|de|a partir|pelo|via|"
    r"com|desde|por)|(obtenir|télécharger|obter o|baixe o|baixar o|obtener|descargar|scarica|ottieni|hol dir|download|"
    r"pobierz|hanki|hämta|hent|skaff|stáhnout) outlook|gesendet (von|mit|über)|von meinem \w+ gesendet|diese nachricht wurde von|"
    r"inviat[oa] (da|dal|con)|verzonden (vanaf|met|via|vanuit)|verstuurd vanaf|sendt (fra|via|med)|skickat från|"
    r"skickades från|lähetetty|lähetin tämän|wysłan[eoay] (z|ze)|odesláno z|odoslané z|küldve|trimis (de pe|din)|"
    r"отправлено (с|из)|надіслано (з|із)|изпратено от|στάλθηκε από|εστάλη από|iphoneから送信|から送信|发自我的|從我的|傳送自|"
    r"나의 \w+에서 보냄|에서 보냄|נשלח מ|أرسلت من|مرسل من|gönderildi|đã gửi từ|dikirim dari|saadetud|nosūtīts no|"
    r"išsiųsta iš|poslano (z|s|sa)|послато са|sent fra|enviat des|ส่งจาก)",
    re.IGNORECASE,
)
DEVICES = re.compile(
    r"\b(iphone|ipad|ios|macbook|android|samsung|galaxy|huawei|xiaomi|redmi|oneplus|pixel|motorola|nokia|blackberry|"
    r"outlook|yahoo|gmail|proton ?mail|proton|thunderbird|k-9|fairemail|gmx|web\.de|mail\.ru|yandex|tutanota|tuta|"
    r"hotmail|windows (mail|phone|10)|mailspring|airmail|mobile|smartphone|handy|móvil|celular|telefon|téléphone)\b",
    re.IGNORECASE,
)
MARKS = " \t.,;:!?…~-*_()[]'\"<>❤😊🙂👍，。！：؛،"


def is_greeting(line: str) -> bool:
    """Whether a line only says hello, to us, to all or to somebody."""
    words = line.casefold().strip(MARKS)
    first = re.split(r"[,!，！]| chasqui\b", words, maxsplit=1)[0].strip(MARKS)
    few = len(words.split()) <= 5
    return words in GREETINGS or (few and first in GREETINGS)


def is_closing(line: str) -> bool:
    """Whether a line takes its leave, with or without a name behind it."""
    words = line.casefold().strip(MARKS)
    first = re.split(r"[,!，！]", words, maxsplit=1)[0].strip(MARKS)
    return words in CLOSINGS or (first in CLOSINGS and len(words.split()) <= 6)


def is_advertisement(line: str) -> bool:
    """Whether a mail reader wrote the line, about itself or the machine it runs on."""
    return bool(SENT_FROM.match(line)) or (len(line) < 200 and bool(DEVICES.search(line)))
