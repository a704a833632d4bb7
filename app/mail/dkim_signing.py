"""Signs our mails by DKIM, for those whose mail server does not."""

from __future__ import annotations

from app.platform.settings import Settings

SIGNED = (b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references", b"mime-version", b"content-type", b"list-unsubscribe", b"list-unsubscribe-post")  # fmt: skip


def sign_mail(settings: Settings, source: bytes) -> bytes:
    """The mail with our signature above it, where a key is set."""
    if settings.dkim_key is None or settings.dkim_selector is None:
        return source
    import dkim  # noqa: PLC0415 - it brings a DNS client, and few have a key here

    domain = settings.dkim_domain or (settings.mail_from or "").rpartition("@")[2]
    signature: bytes = dkim.sign(
        source,
        settings.dkim_selector.encode("ascii"),
        domain.encode("idna"),
        settings.dkim_key.get_secret_value().encode("ascii"),
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=list(SIGNED),
    )
    return signature + source
