"""What mail servers say when they refuse: whether they mean the recipient, the mail, or us."""

from __future__ import annotations

import re

POLICY = re.compile(r"\b5\.7\.\d{1,3}\b")
BLAME = re.compile(
    r"relay(ing)? (access )?(denied|not permitted|not allowed)|not (authenticated|authorized|authorised|permitted to relay)|"
    r"authentication required|\b(spf|dkim|dmarc)\b|spam|block(ed| ?list)|black ?list|\blisted\b|rbl|dnsbl|reputation|"
    r"policy|reverse dns|\bptr\b|helo|ehlo|sender (address )?(rejected|denied|verify)|access denied|banned|rate limit|"
    r"too many (connections|messages|emails)",
    re.IGNORECASE,
)
NOBODY = re.compile(r"\b5\.1\.[0-36]\b|\b5\.2\.[012]\b|user unknown|no such|does not exist|unknown user|recipient not found", re.IGNORECASE)  # fmt: skip


def blames_us(said: str) -> bool:
    """Whether a refusal is about who we are, not about the person: our settings, our address, our name."""
    if NOBODY.search(said):
        return False
    return bool(POLICY.search(said) or BLAME.search(said))


def means_too_large(code: int, said: str) -> bool:
    """Whether a smaller mail might be taken."""
    return code == 552 or "5.3.4" in said or "5.2.3" in said
