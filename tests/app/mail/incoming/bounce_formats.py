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
    "OpenSMTPD": ("gone", letter("Mailer Daemon <MAILER-DAEMON@mx.example>", "Delivery status notification: error", "    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\n{to}: Domain does not exist\n\n    Below is a copy of the original message:\n")),
    "DragonFly": ("ours", letter("MAILER-DAEMON <>", "Mail delivery failed", "This is the DragonFly Mail Agent at us.example.\n\nThere was an error delivering your mail to <{to}>.\n\nmx.example [192.0.2.1] did not like our final DATA:\n550-5.7.26 Mail of us.example was not authenticated, see the domain's\n550 5.7.26 DMARC\n\nMessage headers follow.\n\nReceived: from root\n")),
    "GMX": ("gone", letter("MAILER-DAEMON@gmx.example", "Mail delivery failed: returning message to sender", "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error. The following address\nfailed:\n\n\"{to}\":\nSMTP error from remote server after RCPT command:\nhost: mx.example\n5.1.1 <{to}>... User Unknown\n\n--- The header of the original message is following. ---\n\nReceived: from spf.us.example\n")),
    "Zoho": ("gone", letter("mailer-daemon@zoho.example", "Undelivered Mail Returned to Sender", "A message that you sent could not be delivered to one or more of its recipients.\n\n{to} Invalid Address, ERROR_CODE :550, ERROR_CODE :Requested action not taken: mailbox unavailable\n\nReceived:from us.example\n")),
    "Lotus Notes, in Japanese": ("gone", letter("postmaster@notes.example", "Undeliverable message", "------- Failure Reasons  --------\n\nディレクトリのリストにありません\n{to}\n\n------- Returned Message --------\nReceived: from us.example\n")),
    "m-FILTER": ("gone", letter("POSTMASTER <postmaster@mx.example>", "failure notice", "このメールは送信できませんでした。\n\n-------server message\n550 5.1.1 <{to}>: Recipient address rejected: User unknown in local recipient table\n\n-------SMTP command\nDATA\n\n-------original message\n")),
    "MailMarshal": ("gone", letter("postmaster@mx.example", "Undeliverable Mail: your turn", "Your message:\n   From:    us@chasqui.example\n   Subject: your turn\n\nCould not be delivered because of\n\n550 5.1.1 User unknown\n\nThe following recipients were affected:\n    {to}\n")),
    "Biglobe": ("gone", letter("postmaster@mx.example", "Returned mail: Service unavailable", "   ----- The following addresses had delivery problems -----\n{to}\n\n   ----- Non-delivered information -----\nThe number of messages in recipient's mailbox exceeded the local limit.\n")),
    "Sendmail 5": ("gone", letter("Mail Delivery Subsystem <MAILER-DAEMON@mx.example>", "Returned mail: Host unknown", "   ----- Transcript of session follows -----\n550 example.org (smtp)... 550 Host unknown\n554 <{to}>... 550 Host unknown (Authoritative answer from name server)\n\n   ----- Unsent message follows -----\n")),
    "Gmail, text": ("gone", letter("Mail Delivery Subsystem <mailer-daemon@googlemail.com>", "Delivery Status Notification (Failure)", "Delivery to the following recipient failed permanently:\n\n     {to}\n\nTechnical details of permanent failure:\nThe error that the other server returned was: 550 550 5.1.1 user unknown (state 14).\n\n----- Original message -----\n")),
    "Exim, our mail is refused": ("ours", letter(DAEMON, "Mail delivery failed: returning message to sender", "A message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  {to}\n    SMTP error from remote mail server after end of data:\n    host mx.example [192.0.2.20]: 554 5.7.0 Header error\n\n------ This is a copy of the message, including all the headers. ------\n", f"X-Failed-Recipients: {TO}\n")),
    "qmail, our host is listed": ("ours", letter("MAILER-DAEMON@mx.example", "failure notice", "Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<{to}>:\n192.0.2.1 failed after I sent the message.\nRemote host said: 554 Service unavailable; Client host [192.0.2.9] is on a\nblock list\n\n--- Below this line is a copy of the message.\n")),
    "our sender, under the code of a recipient": ("ours", report("failed", "5.1.0", "550 5.1.0 <play@chasqui.example> sender rejected. AUP#CDRBL")),
    "our network": ("ours", report("failed", "5.0.0", "554 Host network not allowed - https://mx.example/554")),
    "no diagnosis, only a letter": ("gone", report("failed", "5.0.0", "").replace("I'm sorry.", f"<{TO}>: 550 user unknown (in reply to RCPT TO command)")),
    "given up after days, for our reputation": ("ours", report("failed", "4.7.0", "421 4.7.0 Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints")),
    "headers of our own mail in the letter": ("gone", letter("MAILER-DAEMON@mx.example", "failure notice", "we were not able to deliver your message to the following address(es):\n\n<{to}>:\nThis person's account is exceeding their quota.\n\n--- Below the next line is a copy of the message.\n\nReceived: from unknown (HELO us.example)\nAuthentication-Results: spf=pass dkim=pass\n")),
    "somebody is away, automatically": ("none", letter("Postmaster-like Bo <bo@example.org>", "Automatic reply: your turn", "My mailbox is full of mails; I answer on Monday.")),
    "somebody is away": ("none", letter("Bo <bo@example.org>", "Out of office", "I am away until Monday. The number 550 is my room.")),
    "somebody answers": ("none", letter("Bo <bo@example.org>", "Re: your turn", "place triple e14 e16 d15\nend")),
}  # fmt: skip
