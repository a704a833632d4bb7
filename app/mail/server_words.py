"""What mail servers say when they refuse: whether they mean the recipient, the mail, or us.

No standard tells them apart: 5.1.0 is said of senders and of recipients, 550 of all. So the words decide, and where they
say nothing the code does. A wrong guess freezes a person, or keeps writing to nobody: it is the first that hurts.
"""

from __future__ import annotations

import re

ADDRESS = re.compile(r"<?[\w.+=#-]+@[\w.-]+>?")  # names of people and their servers are no words

# Who names the sender means us, whatever else the sentence says.
SENDER = re.compile(
    r"\bsenders?\b[^.;:]{0,40}(reject|den(y|ied)|verif|invalid|unknown|block|refus|not |does not|domain|empty|policy|spam|bad|banned)|"
    r"(invalid|unknown|bad|bogus|empty|null|unroutable|no( valid)?|without a valid|blocked|unauthenticated|unverified|poor|domain of|"
    r"envelope) (envelope |return |mail )?senders?\b|bogus mail from|\bmail from(:|\W*<| command| not)|\bfrom: |badmailfrom|return[- ]path|third-party dsn|émetteur|emetteur|"
    r"(callback|callout) (failed|verif)|address is not verified|in reply to (the )?(ehlo|helo|lhlo|auth|starttls|mail)\b|"
    r"\b5\.1\.[78]\b",
    re.IGNORECASE,
)

# What is only said of a recipient: there is none, or the mailbox is shut or full, or they want nothing from us.
RECIPIENT = re.compile(
    r"\b[45]\.1\.([1236]|10)\b|\b5\.2\.2\b|\b4\.2\.2\b|"
    r"(?<!\bip )\b(user|mail ?box|recipient|address(es)?|addressee|account|inbox|name|person|utilisateur|usuario|utente|destinat\w+)\b[^.;]{0,60}"
    r"(unknown|inconnu|desconocido|not (found|known|exist|active|local|valid|present|available|recogni[sz]ed|listed|accept|ok\b)|unavailable|"
    r"does ?n.t (exist|have)|does not (exist|accept|have)|no longer|invalid|inactive|disabled|deactivated|discontinued|suspended|"
    r"frozen|archiv|\blocked|full|pleine|quota|storage|refuses|expired|closed|removed|deleted|rejected: access denied|wrong)|"
    r"(unknown|invalid|inactive|bad|no such|no valid|non-?existent|full|not a (valid|known|local|active)|nessun) ?/?(inactive )?(local )?(user|mail ?box|"
    r"recipient|address|account|person|utente|local[ -]part|rcpt|part)|no (mail ?box|account|user|one|mx record)\b|no existe|"
    r"(over|exceed\w*) [^.;]{0,30}(quota|storage)|quota (exceeded|violation)|not enough (storage )?space|space not enough|recipient preferences|"
    r"by the recipient|accepting any mail|extended inactivity|host (or domain name )?(not found|unknown|does not accept mail)|"
    r"adr\.recipient|rst\.notauth|badrcptto|validrcptto|recipient has been denied|account is protected|can.t accept user|missing home",
    re.IGNORECASE,
)

# What is said of our host, our name, our settings, or of the mail itself.
US = re.compile(
    r"(?<![\w.-])relay(s|ing|ed)?(?![\w.=-])|authenticat|authentification|authori[sz]|smtp auth|\b(start)?tls\b|\b(spf|dkim|dmarc|batv|ptr|"
    r"rdns|rbl|dnsbl|drbl|uribl|surbl|ube|helo|ehlo)\b|spam|junk|bulk|unsolicited|phish|virus|malware|mass mailer|block(ed|ing|list| ?list)|"
    r"black ?list|\blisted\b|gr[ea]y-?list|\bbanned|reputation|complaints|polic(y|ies)|prohibit|permitted|security|access (to|is|was)? ?"
    r"(denied|forbidden|submit)|\bdenied\b|forbidden|reverse (dns|lookup|ip)|dns (lookup|entry)|host ?name|client (host|ip)|dynamic ip|"
    r"open proxy|(your|sending|source|connecting|remote) ?(ip|host|server|network|domain|isp|mail ?server|mta|remotehost)\b|"
    r"(resolve|find|confirm|requires?) (your|this|confirmation)|no access|not (be )?allowed|network not|rate (limit|that)|too many (?!hops)|slower|"
    r"throttl|max emails|trop de|given low priority|content|\bheaders?\b|rfc ?\d{3,4}|protocol violation|go away|rcpthosts|"
    r"(message|mail) (was |is |has been )?(refused|rejected|filtered|not accepted|denied)|bad syntax|local address contains",
    re.IGNORECASE,
)
LOUD = re.compile(
    r"\b(spf|dkim|dmarc|dnsbl|rbl)\b|spam|black ?list|block ?list|(is|been|was) blocked|relay(ing)? (access )?denied|unable to relay|reputation",
    re.IGNORECASE,
)
POLICY = re.compile(r"\b[45]\.7\.\d{1,3}\b")


def blames_us(said: str) -> bool:
    """Whether a refusal is about who we are or what we wrote, not about the person."""
    words = ADDRESS.sub(" ", said)
    if SENDER.search(words):
        return True
    if RECIPIENT.search(words):
        return False
    return bool(US.search(words) or POLICY.search(words))


def blames_us_in_prose(said: str) -> bool:
    """The same of a whole letter, whose own sentences talk of headers, servers and policies too."""
    return bool(LOUD.search(ADDRESS.sub(" ", said))) and not names_recipient(said)


def names_recipient(said: str) -> bool:
    """Whether a refusal is about the person: there is no such mailbox, or it takes nothing."""
    words = ADDRESS.sub(" ", said)
    return bool(RECIPIENT.search(words)) and not SENDER.search(words)


def means_too_large(code: int, said: str) -> bool:
    """Whether a smaller mail might be taken."""
    return code == 552 or "5.3.4" in said or "5.2.3" in said
