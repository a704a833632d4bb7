"""What mail systems write when a mail does not arrive: a sample of each known format, of our own making.

Each row of FORMATS is a verdict and the whole mail; {to} is the recipient that was lost.
"""

from __future__ import annotations

TO = "bo@example.org"


def report(action: str, status: str, said: str, *, kind: str = "report", more: str = "") -> str:
    """RFC 3464, as most systems of today write it."""
    outer = {
        "report": "multipart/report; report-type=delivery-status; boundary=x",
        "mixed": "multipart/mixed; boundary=x",
    }[kind]
    return (
        f"From: MAILER-DAEMON@mx.example\nSubject: Undelivered Mail Returned to Sender\n{more}"
        f"MIME-Version: 1.0\nContent-Type: {outer}\n\n--x\nContent-Type: text/plain\n\nI'm sorry.\n\n"
        "--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        f"Final-Recipient: rfc822; {TO}\nAction: {action}\nStatus: {status}\n"
        f"Diagnostic-Code: smtp; {said}\n\n--x\nContent-Type: message/rfc822\n\n"
        "From: play@chasqui.example\n\nend\n--x--\n"
    )


def letter(sender: str, subject: str, body: str, more: str = "") -> str:
    return (
        f"From: {sender}\nSubject: {subject}\n{more}MIME-Version: 1.0\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{body.format(to=TO)}\n"
    )


DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.example>"
FORMATS: dict[str, tuple[str, str]] = {
    "Postfix, no such user": ("gone", report("failed", "5.1.1", "550 5.1.1 User unknown")),
    "Postfix, given up after five days": ("gone", report("failed", "4.4.1", "connect to mx: timed out")),
    "Postfix, later": ("late", report("delayed", "4.4.1", "connect to mx: timed out")),
    "Exchange Online": ("gone", report("failed", "5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found")),
    "Gmail": ("gone", report("failed", "5.1.1", "550-5.1.1 The email account that you tried to reach does not exist.")),
    "Amazon SES, mixed": ("gone", report("failed", "5.1.1", "550 5.1.1 unknown user", kind="mixed")),
    "mailbox full for good": ("gone", report("failed", "5.2.2", "552 5.2.2 Over quota")),
    "Gmail, our DKIM": ("ours", report("failed", "5.7.26", "550-5.7.26 This mail has been blocked because the sender is unauthenticated.")),
    "Exchange, our address is listed": ("ours", report("failed", "5.7.606", "550 5.7.606 Access denied, banned sending IP")),
    "Postfix, relay denied": ("ours", report("failed", "5.7.1", f"554 5.7.1 <{TO}>: Relay access denied")),
    "5.7.1 that means nobody": ("gone", report("failed", "5.7.1", "550 5.7.1 Recipient not found; no such user")),
    "block list without a status": ("ours", report("failed", "5.0.0", "554 Your host is listed at a blacklist")),
    "relayed": ("none", report("relayed", "2.0.0", "250 ok")),
    "Exim": ("gone", letter(DAEMON, "Mail delivery failed: returning message to sender", "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  {to}\n    Unrouteable address\n", f"X-Failed-Recipients: {TO}\n")),
    "Exim, later": ("late", letter(DAEMON, "Warning: message delayed 24 hours", "This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours.\n\n  {to}\n\nNo action is required on your part. Delivery attempts will continue.\n")),
    "qmail": ("gone", letter("MAILER-DAEMON@mx.example", "failure notice", "Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<{to}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n")),
    "Sendmail 8, text": ("gone", letter("Mail Delivery Subsystem <MAILER-DAEMON@mx.example>", "Returned mail: see transcript for details", "   ----- The following addresses had permanent fatal errors -----\n<{to}>\n    (reason: 550 5.1.1 <{to}>... User unknown)\n\n   ----- Transcript of session follows -----\n550 5.1.1 <{to}>... User unknown\n")),
    "Exchange 5.5": ("gone", letter("System Administrator <postmaster@mx.example>", "Undeliverable: your turn", "Your message\n\n  To:      {to}\n  Subject: your turn\n\ndid not reach the following recipient(s):\n\n{to} on Mon, 16 Nov 2026\n    The recipient name is not recognized\n")),
    "Yahoo": ("gone", letter("MAILER-DAEMON@yahoo.com", "Delivery failure", "Message from yahoo.com.\nUnable to deliver message to the following address(es).\n\n<{to}>:\nThis user doesn't have a yahoo.com account (bo) [-5]\n\n--- Original message follows.\n")),
    "GroupWise": ("gone", letter("Postmaster@mx.example", "Message status - undeliverable", "The message that you sent was undeliverable to the following:\n\t{to} (user not found)\n\nPossibly truncated original message follows:\n")),
    "SMTP32": ("gone", letter("Postmaster <postmaster@mx.example>", "Undeliverable Mail", "Unknown user: {to}\n\nOriginal message follows.\n", "X-Mailer: <SMTP32 v8.15>\n")),
    "Domino": ("gone", letter("Postmaster@mx.example", "DELIVERY FAILURE: User bo not listed in Domino Directory", "Your message\n\n  Subject: your turn\n\nwas not delivered to:\n\n  {to}\n\nbecause:\n\n  User bo ({to}) not listed in Domino Directory\n")),
    "Courier": ("gone", letter("Courier mail server <postmaster@mx.example>", "NOTICE: mail delivery status.", "This is a delivery status notification from mx.example.\n\nUNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be delivered:\n\n<{to}>:\n>>> RCPT TO:<{to}>\n<<< 550 User unknown.\n")),
    "MailEnable": ("gone", letter("Postmaster@mx.example", "Message Delivery Failure", "MailEnable: Message could not be delivered to some recipients.\nThe following recipient(s) could not be reached:\n\n[SMTP:{to}]: Remote SMTP Server Returned: 550 No such user here\n")),
    "a small server's own words": ("gone", letter("postmaster@mx.example", "Undeliverable: your turn", "Sorry: the mailbox bo does not exist here.")),
    "in German": ("gone", letter("postmaster@mx.example", "Unzustellbar: Sie sind am Zug", "Diese Nachricht konnte nicht zugestellt werden.\n550 5.1.1 <{to}>: unbekannt")),
    "words about us": ("ours", letter("postmaster@mx.example", "Undeliverable: your turn", "554 Your message was rejected as spam; the SPF record of your domain does not allow it.")),
    "somebody is away": ("none", letter("Bo <bo@example.org>", "Out of office", "I am away until Monday. The number 550 is my room.")),
    "somebody answers": ("none", letter("Bo <bo@example.org>", "Re: your turn", "place triple e14 e16 d15\nend")),
}  # fmt: skip
