"""Other implementations at work on our tokens, and they make some for us.

Reads a JSON document from standard input: `cases`, each with an algorithm, a JSON Web Key with its private half, and two
tokens, one valid and one of a failed attestation; and `backend`, with the secret and the requests of a backend. Writes what
came of it as JSON. One process for everything, since starting Python takes longer than all that it does here.
"""

import base64
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import jwt
from jwcrypto import jwe, jwk, jws
from werkzeug.serving import make_server

import backend

CLAIMS = {"did": "ExampleApproovTokenDID==", "exp": 4102444800}


def attempt(function):
    """What a function returns, or the name of what it throws."""
    try:
        return function()
    except Exception as error:  # Whatever another implementation throws is its refusal.
        return {"error": type(error).__name__}


def pyjwt_key(key, private):
    """A JSON Web Key as PyJWT has it."""
    family = {"oct": "HMAC", "RSA": "RSA", "EC": "EC"}[key["kty"]]
    loaded = getattr(jwt.algorithms, family + "Algorithm").from_jwk(json.dumps(key))
    return loaded if private or family == "HMAC" else loaded.public_key()


def by_pyjwt(case):
    """PyJWT knows signed tokens only."""
    key, algorithm = case["key"], case["algorithm"]
    if algorithm == "A256GCMKW":
        return None
    verify = lambda token: jwt.decode(token, pyjwt_key(key, False), algorithms=[algorithm])
    return {
        "valid": attempt(lambda: verify(case["valid"])),
        "rejected": attempt(lambda: verify(case["rejected"])),
        "theirs": jwt.encode(CLAIMS, pyjwt_key(key, True), algorithm=algorithm, headers={"kid": key["kid"]}),
    }


def by_jwcrypto(case):
    """jwcrypto knows both."""
    key = jwk.JWK(**case["key"])
    header = json.dumps({"alg": case["algorithm"], "kid": case["key"]["kid"]})
    if case["algorithm"] == "A256GCMKW":
        def verify(token):
            opened = jwe.JWE()
            opened.deserialize(token, key)
            return json.loads(opened.payload)
        header = json.dumps({"alg": "A256GCMKW", "enc": "A256GCM"})
        theirs = jwe.JWE(json.dumps(CLAIMS).encode(), header, recipient=key).serialize(compact=True)
    else:
        def verify(token):
            signed = jws.JWS()
            signed.deserialize(token, key)
            return json.loads(signed.payload)
        signed = jws.JWS(json.dumps(CLAIMS).encode())
        signed.add_signature(key, protected=header)
        theirs = signed.serialize(compact=True)
    return {
        "valid": attempt(lambda: verify(case["valid"])),
        "rejected": attempt(lambda: verify(case["rejected"])),
        "theirs": theirs,
    }


def jose(*words, text):
    """Runs the `jose` command on a text."""
    return subprocess.run(["jose", *words], input=text, capture_output=True, check=True, text=True).stdout


def by_jose(case, folder):
    """jose takes keys from files; what it reads and writes is plain text."""
    path = f"{folder}/{case['algorithm']}.jwk"
    with open(path, "w", encoding="ascii") as file:
        json.dump(case["key"], file)
    if case["algorithm"] == "A256GCMKW":
        verify = lambda token: json.loads(jose("jwe", "dec", "-i", "-", "-k", path, text=token))
        template = json.dumps({"protected": {"alg": "A256GCMKW", "enc": "A256GCM"}})
        theirs = jose("jwe", "enc", "-i", template, "-I", "-", "-k", path, "-c", text=json.dumps(CLAIMS))
    else:
        verify = lambda token: json.loads(jose("jws", "ver", "-i", "-", "-k", path, "-O", "-", text=token))
        theirs = jose("jws", "sig", "-I", "-", "-k", path, "-c", text=json.dumps(CLAIMS))
    return {
        "valid": attempt(lambda: verify(case["valid"])),
        "rejected": attempt(lambda: verify(case["rejected"])),
        "theirs": theirs.strip(),
    }


def status(port, request):
    """What the backend answers to a request, over HTTP."""
    headers = {name: value for name, value in request["headers"].items()}
    call = urllib.request.Request(f"http://127.0.0.1:{port}/shapes", headers=headers)
    try:
        with urllib.request.urlopen(call, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def by_backend(work):
    """A server that checks tokens, asked for real."""
    server = make_server("127.0.0.1", 0, backend.application(base64.b64decode(work["secret"])))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    answers = {request["name"]: status(server.server_port, request) for request in work["requests"]}
    server.shutdown()
    return answers


def main():
    work = json.load(sys.stdin)
    json.dump(
        {
            "cases": {
                case["algorithm"]: {
                    "PyJWT": by_pyjwt(case),
                    "jwcrypto": by_jwcrypto(case),
                    "jose": by_jose(case, work["folder"]),
                }
                for case in work["cases"]
            },
            "backend": by_backend(work["backend"]),
        },
        sys.stdout,
    )


main()
