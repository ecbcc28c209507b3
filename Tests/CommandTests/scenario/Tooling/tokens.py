"""Tokens of other libraries, PyJWT and jwcrypto: right ones, and wrong ones of many kinds.

Reads a JSON document from standard input: `main`, `spare` and `curve`, keys of the account as JSON Web Keys; `sealed`, its key
of encryption; `time`, in seconds since 1970; and `passed` and `failed`, response codes. Writes the tokens by name as JSON, each
with the reason for which the backend of `api.shop.io` refuses it, the data that the request has, and the domain if it is another
one.
"""

import base64
import hashlib
import json
import sys

import jwt
from jwcrypto import jwe, jwk

DEVICE = "ExampleApproovTokenDID=="
HOUR = 3600


def secret(key):
    """The bytes of a shared secret."""
    text = key["k"]
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def bound(data):
    """The claim that binds a token to data."""
    return base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()


def sealed(key, claims):
    """An encrypted token."""
    token = jwe.JWE(json.dumps(claims).encode(), json.dumps({"alg": "A256GCMKW", "enc": "A256GCM"}))
    token.add_recipient(jwk.JWK(kty="oct", k=key["k"]))
    return token.serialize(compact=True)


def changed(token, part, character=0):
    """The token with another character in one of its parts."""
    parts = token.split(".")
    text = parts[part]
    other = "B" if text[character] == "A" else "A"
    parts[part] = text[:character] + other + text[character + 1:]
    return ".".join(parts)


def tokens(work):
    main, now = secret(work["main"]), work["time"]
    claims = {"did": DEVICE, "exp": now + HOUR, "aud": "api.shop.io", "arc": work["passed"]}
    headers = {"kid": "main"}

    def signed(key=main, algorithm="HS256", headers=headers, **others):
        values = {name: value for name, value in {**claims, **others}.items() if value is not None}
        return jwt.encode(values, key, algorithm=algorithm, headers=headers)

    def raw(payload):
        return jwt.api_jws.PyJWS().encode(payload, main, algorithm="HS256", headers=headers)

    valid, pay = signed(), bound("Bearer me")
    header, body, signature = valid.split(".")
    rsa = jwk.JWK.generate(kty="RSA", size=2048).export_to_pem(private_key=True, password=None)
    curve = jwk.JWK(**work["curve"]).export_to_pem(private_key=True, password=None)
    unsigned = base64.urlsafe_b64encode(b'{"alg":"nOnE","typ":"JWT"}').rstrip(b"=").decode()
    return {
        "valid": [valid, None],
        "valid-and-bound": [signed(pay=pay), None, "Bearer me"],
        "failover": [signed(arc=None), None, "Bearer me"],
        "sealed": [sealed(work["sealed"], {**claims, "aud": "sealed.shop.io"}), None, None, "sealed.shop.io"],
        "curve": [signed(curve, "ES256", {"kid": "curve"}, aud="curve.shop.io"), None, None, "curve.shop.io"],
        "none": [None, "no-token"],
        "empty": ["", "no-token"],
        "word": ["hello", "malformed"],
        "two-parts": [f"{header}.{body}", "malformed"],
        "four-parts": [f"{valid}.x", "malformed"],
        "header-of-other-characters": [f"~{header}.{body}.{signature}", "malformed"],
        "header-of-text": [f"aGVsbG8.{body}.{signature}", "malformed"],
        "claims-of-text": [raw(b"hello"), "malformed"],
        "expiry-of-text": [raw(json.dumps({**claims, "exp": "tomorrow"}).encode()), "malformed"],
        "too-long": [signed(more="x" * 70_000), "malformed"],
        "unsigned": [jwt.encode(claims, None, algorithm="none"), "unsigned"],
        "unsigned-in-mixed-case": [f"{unsigned}.{body}.", "unsigned"],
        "extension": [raw_header(main, {**headers, "crit": ["x"], "x": 1}, claims), "critical-extension"],
        "longer-hash": [signed(algorithm="HS512"), "other-algorithm"],
        "foreign-pair": [signed(rsa, "RS256"), "other-algorithm"],
        "other-name": [signed(headers={"kid": "old"}), "unknown-key"],
        "key-of-another-domain": [signed(curve, "ES256", {"kid": "curve"}), "other-domain"],
        "sealed-for-another-domain": [sealed(work["sealed"], claims), "other-domain"],
        "other-audience": [signed(aud="curve.shop.io"), "other-domain"],
        "spare-key": [signed(secret(work["spare"]), headers={"kid": "spare"}), "other-key"],
        "failed": [signed(b"nobody's key", arc=work["failed"]), "failed-attestation"],
        "other-account": [signed(b"the key of another account"), "wrong-signature"],
        "changed-claims": [changed(valid, 1, 30), "wrong-signature"],
        "changed-signature": [changed(valid, 2), "wrong-signature"],
        "cut-signature": [f"{header}.{body}.", "wrong-signature"],
        "changed-seal": [
            changed(sealed(work["sealed"], claims), 4), "wrong-signature", None, "sealed.shop.io"],
        "for-ever": [signed(exp=None), "without-expiry"],
        "just-expired": [signed(exp=now), "expired"],
        "long-expired": [signed(exp=now - 7200), "expired"],
        "early": [signed(nbf=now + 60), "not-yet-valid"],
        "without-data": [signed(pay=pay), "no-binding", ""],
        "other-data": [signed(pay=pay), "other-binding", "Bearer you"],
    }


def raw_header(key, headers, claims):
    """A token with members in its header that a library would refuse to write."""
    import hmac

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    text = f"{part({'alg': 'HS256', **headers})}.{part(claims)}"
    code = hmac.new(key, text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64.urlsafe_b64encode(code).rstrip(b'=').decode()}"


def main():
    json.dump(tokens(json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    main()
