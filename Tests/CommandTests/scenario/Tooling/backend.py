"""A backend as the manual describes it (Backend Integration, Token Binding): Flask and PyJWT."""

import base64
import hashlib
import hmac

import jwt
from flask import Flask, abort, request


def application(secret):
    """A server that gives its shapes to whoever has a valid token, bound to the user where there is one."""
    app = Flask("shapes")

    @app.before_request
    def check_token():
        token = request.headers.get("Approov-Token", "")
        try:
            claims = jwt.decode(token, secret, algorithms=["HS256"], options={"require": ["exp"]})
        except jwt.InvalidTokenError:
            abort(401)
        # Tokens of the failover are not bound to anything.
        if "pay" in claims and not is_bound(claims["pay"], request.headers.get("Authorization", "")):
            abort(401)

    @app.get("/shapes")
    def shapes():
        return {"shape": "circle"}

    return app


def is_bound(pay, data):
    """Whether the token is bound to what the request brings."""
    digest = base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()
    return hmac.compare_digest(digest, pay)
