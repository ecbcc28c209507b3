"""A backend of Flask and PyJWT that lets in whoever has a valid token of the service.

It knows the account's secret (APPROOV_SECRET, base64), shared keys by their names (APPROOV_KEYS, JSON Web Keys by name),
and where the public keys are (APPROOV_URL). Encrypted tokens are opened by jwcrypto, with APPROOV_ENCRYPTION_SECRET, and
refused without it."""

import base64
import json
import os
import urllib.request

import flask
import jwt
from jwcrypto import jwe, jwk
from jwcrypto.common import JWException


def needed(name):
    """A setting without which the backend does not start."""
    if name not in os.environ:
        raise SystemExit(f"the environment has no {name}; ../README.md lists the settings")
    return os.environ[name]


URL = needed("APPROOV_URL")
SECRET = base64.b64decode(needed("APPROOV_SECRET"))
ENCRYPTION_SECRET = base64.b64decode(os.environ.get("APPROOV_ENCRYPTION_SECRET", ""))
SHARED = json.loads(os.environ.get("APPROOV_KEYS", "{}"))

app = flask.Flask(__name__)
public = {}


def key(name):
    """The key of a name, as a JSON Web Key; the public ones are asked for when a name is new."""
    if name in SHARED:
        return SHARED[name]
    if name not in public:
        with urllib.request.urlopen(f"{URL}/.well-known/jwks.json", timeout=5) as answer:
            public.clear()
            public.update({found["kid"]: found for found in json.load(answer)["keys"]})
    return public.get(name)


def claims(token):
    """The claims of a valid token; the key says by which algorithm, and the token never does."""
    if token.count(".") == 4:
        return encrypted(token)
    header = jwt.get_unverified_header(token)
    if "crit" in header:
        # PyJWT accepts extensions that it does not know (RFC 7515, 4.1.11).
        raise jwt.InvalidTokenError("an unknown extension")
    name = header.get("kid")
    if name is None:
        return jwt.decode(token, SECRET, algorithms=["HS256"], options={"require": ["exp"]})
    found = key(name)
    if found is None:
        raise jwt.InvalidTokenError("no such key")
    return jwt.decode(
        token, jwt.PyJWK(found, algorithm=found["alg"]).key, algorithms=[found["alg"]], options={"require": ["exp"]})


def encrypted(token):
    if not ENCRYPTION_SECRET:
        raise jwt.InvalidTokenError("no secret for encrypted tokens")
    content = jwe.JWE(algs=["A256GCMKW", "A256GCM"])
    encoded = base64.urlsafe_b64encode(ENCRYPTION_SECRET).decode().rstrip("=")
    content.deserialize(token, key=jwk.JWK(kty="oct", k=encoded))
    found = json.loads(content.payload)
    # Nobody has signed it; that it could be opened shows that it is valid. The time is checked as PyJWT does.
    jwt.api_jwt.PyJWT()._validate_claims(found, {"verify_exp": True, "verify_nbf": True, "require": ["exp"]} | {
        f"verify_{name}": False for name in ("iat", "aud", "iss")})
    return found


@app.get("/hello")
def hello():
    try:
        device = claims(flask.request.headers.get("Approov-Token", "")).get("did")
    except (jwt.PyJWTError, JWException, ValueError, KeyError):
        return {"error": "no valid token"}, 401
    return {"hello": device}


@app.get("/status")
def status():
    try:
        with urllib.request.urlopen(f"{URL}/healthcheck/att-backends", timeout=5) as answer:
            return {"service": json.load(answer)["HealthState"]}
    except OSError:
        return {"service": "unknown"}


if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]))
