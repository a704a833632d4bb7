"""A WebAuthn authenticator made of software: it makes and uses passkeys as a browser would send them."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url as written
from webauthn.helpers import encode_cbor

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


@dataclass
class SoftDevice:
    """One passkey; `count` is what it says how often it was used."""

    party: str
    origin: str
    count: int = 0
    flags: int = PRESENT | VERIFIED
    id: bytes = b"a passkey of the tests"
    handle: bytes = b""
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def make(self, options: dict[str, Any]) -> str:
        """What `navigator.credentials.create()` would give."""
        self.handle = options["user"]["id"]
        spot = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: spot.x.to_bytes(32), -3: spot.y.to_bytes(32)}
        known = bytes(16) + struct.pack(">H", len(self.id)) + self.id + encode_cbor(cose)
        data = self.data(ATTESTED) + known
        told = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self.sent(
            clientDataJSON=self.client("webauthn.create", options), attestationObject=told
        )

    def use(self, options: dict[str, Any]) -> str:
        """What `navigator.credentials.get()` would give."""
        self.count += 1
        client, data = self.client("webauthn.get", options), self.data()
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        parts = {"authenticatorData": data, "signature": signature}
        return self.sent(clientDataJSON=client, **parts, handle=self.handle)

    def data(self, more: int = 0) -> bytes:
        return (
            sha256(self.party.encode()).digest()
            + bytes([self.flags | more])
            + struct.pack(">I", self.count)
        )

    def client(self, kind: str, options: dict[str, Any]) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(said).encode()

    def sent(self, handle: str | bytes = b"", **parts: bytes) -> str:
        response: dict[str, Any] = {name: written(part) for name, part in parts.items()}
        if handle:
            response["userHandle"] = handle
        own = written(self.id)
        return json.dumps({"id": own, "rawId": own, "type": "public-key", "response": response})
