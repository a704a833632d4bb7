"""Web Push: what RFC 8291 and RFC 8292 write down as examples, we write too, and another's library reads ours."""

from __future__ import annotations

import json
import os

import http_ece  # type: ignore[import-untyped]  # it has no types
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from workers.web_push import CURVE, decode, encode, encrypt_push, point, sign_push

# RFC 8291, section 5
PLAIN = b"When I grow up, I want to be a watermelon"
THEIRS = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
OURS = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc_is_encrypted_to_the_letter() -> None:
    key = ec.derive_private_key(int.from_bytes(decode(OURS)), CURVE)
    assert encode(encrypt_push(PLAIN, THEIRS, AUTH, key, decode(SALT))) == SEALED


def test_another_library_reads_what_we_encrypt() -> None:
    key, secret = ec.generate_private_key(CURVE), os.urandom(16)
    sealed = encrypt_push(
        "Es ist so weit: ¡juega!".encode(), encode(point(key.public_key())), encode(secret)
    )
    read = http_ece.decrypt(sealed, private_key=key, auth_secret=secret)
    assert read.decode() == "Es ist so weit: ¡juega!"


def test_the_signature_tells_who_sends_and_holds() -> None:
    key = ec.generate_private_key(CURVE)
    scheme, words = sign_push(key, {"aud": "https://push.example"}).split(" ")
    token, public = words.removeprefix("t=").split(",k=")
    head, claims, signed = token.split(".")
    assert scheme == "vapid"
    assert decode(public) == point(key.public_key())
    assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decode(claims)) == {"aud": "https://push.example"}
    r, s = (int.from_bytes(half) for half in (decode(signed)[:32], decode(signed)[32:]))
    said = f"{head}.{claims}".encode()
    key.public_key().verify(encode_dss_signature(r, s), said, ec.ECDSA(SHA256()))
