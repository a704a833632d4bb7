"""What servers say when they refuse is sorted by whom they mean, in their own words; wrong codes mislead nobody."""

from __future__ import annotations

from collections.abc import Callable

from app.mail.server_words import blames_us, names_recipient

US = """550 5.1.0 <play@chasqui.example> sender rejected. AUP#CDRBL
553 5.1.8 <play@chasqui.example>... Domain of sender address does not exist
550 5.1.7 Invalid sender address
550 5.1.1 Sender address rejected: Domain not found
554 5.5.1 Error: no valid sender
550 Sender verify failed
550 Verification failed: callback failed
550 empty envelope senders are not allowed
553 sorry, your envelope sender is in my badmailfrom list (#5.7.1)
554 host mx.example said: 550 no (in reply to MAIL FROM command)
554 host mx.example said: 550 no (in reply to EHLO command)
554 Host network not allowed
450 4.7.1 Client host rejected: cannot find your hostname
554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example
550 The sending IP is on a blocklist
550 Mail server IP is in a list of poor senders
550 we do not accept mail from dynamic ips
550 the IP address sending this message does not have a PTR record setup
550 reverse DNS lookup failed
550 5.7.26 the mail is not authenticated
550 5.7.23 <bo@example.org>: Recipient address rejected: Message rejected due to: SPF fail - not authorized
550 please inspect your SPF settings
550 unauthenticated senders not allowed
550 Please turn on SMTP Authentication in your mail client
530 5.7.0 Must issue a STARTTLS command first
554 5.7.1 <bo@example.org>: Relay access denied
550 unable to relay for bo@example.org
550 sorry, that domain isn't in my list of allowed rcpthosts
550 5.7.1 Message content rejected, UBE
554 message content rejected
552 5.7.0 this message was blocked because its content presents a potential security issue
554 5.7.9 Message not accepted for policy reasons
550 header error
550 this message is not RFC 5322 compliant
550 likely unsolicited mail
421 4.7.0 temporarily deferred due to user complaints
421 too many connections from your IP
450 4.2.0 greylisted, please try again
550 the domain chasqui.example is blacklisted
571 Message Refused""".splitlines()
THEM = """550 5.1.1 <bo@example.org>: Recipient address rejected: User unknown in virtual alias table
550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
550 5.4.1 Recipient address rejected: Access denied
550 5.1.1 <policy@spamgourmet.example>: user unknown
550 <bo@blockchain.example> no such user here
550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized
550 5.7.1 <bo@example.org>: Recipient address rejected: unknown user
550 5.1.0 Address rejected.
550 Requested action not taken: mailbox unavailable
550 5.2.1 The email account that you tried to reach is disabled
550 5.2.1 mailbox is inactive
552 5.2.2 Over quota
552 mailbox full
554 delivery error: dd This user doesn't have an account
550 Sorry, no mailbox here by that name. (#5.1.1)
550 you have been blocked by the recipient
550 refused due to recipient preferences
550 553 5.3.0 Addressee unknown, relay=[192.0.2.1]
550 user missing home directory
550 utilisateur inconnu
550 No existe ese usuario
550 Host or domain name not found
550 no MX record found for domain
4.4.1 connect to mx.example: timed out
554 5.4.6 Too many hops 26 (25 max)""".splitlines()


def test_words_about_us_are_told_from_words_about_the_person(
    figures: Callable[[str], None],
) -> None:
    missed = [said for said in US if not blames_us(said)]
    blamed = [said for said in THEM if blames_us(said)]
    figures(f"refusals of us known as such: {len(US) - len(missed)} of {len(US)}")
    figures(f"refusals of a person laid to us: {len(blamed)} of {len(THEM)}")
    assert not missed
    assert not blamed


def test_what_names_the_recipient_names_not_us() -> None:
    assert not [said for said in US if names_recipient(said)]
    silent = ("5.4.6", "4.4.1", "5.1.0")  # of the way, or of nobody in so many words
    assert not [t for t in THEM if not names_recipient(t) and not any(s in t for s in silent)]
