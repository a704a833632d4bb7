"""Web Push: messages encrypted for one browser (RFC 8291, aes128gcm) and signed as ours (VAPID, RFC 8292).

Made with `cryptography`: the library for it in the registry brings a second HTTP client and a server for it, thirteen packages in all.
"""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096  # bytes; a message is one record
LAST = b"\2"  # behind the last record


def encrypt_push(
    message: bytes,
    p256dh: str,
    auth: str,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """A message for the browser whose public key and secret these are; key and salt are new for each, but in the RFC's example."""
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(16)
    theirs, ours = decode(p256dh), point(key.public_key())
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = derived(shared, decode(auth), b"WebPush: info\0" + theirs + ours, 32)
    cipher = AESGCM(derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4) + len(ours).to_bytes(1) + ours
    return header + cipher.encrypt(nonce, message + LAST, None)


def sign_push(key: ec.EllipticCurvePrivateKey, claims: Mapping[str, object]) -> str:
    """The Authorization header by which a push service knows who sends: a JWT (ES256) and the key that it is signed with."""
    token = f"{encode_json({'typ': 'JWT', 'alg': 'ES256'})}.{encode_json(claims)}"
    r, s = decode_dss_signature(key.sign(token.encode(), ec.ECDSA(SHA256())))
    return f"vapid t={token}.{encode(r.to_bytes(32) + s.to_bytes(32))},k={encode(point(key.public_key()))}"


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def encode_json(said: Mapping[str, object]) -> str:
    return encode(json.dumps(said, separators=(",", ":")).encode())


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "==")
