"""The tests of the backend: `scenario serve` has the phones, and the backend is asked as they would ask it."""

import json
import os
import unittest
import urllib.error
import urllib.request

import backend

URL = os.environ["APPROOV_URL"]
KEY = os.environ["APPROOV_API_KEY"]


def service(method, path, body, key=None):
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), method=method)
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def token(group, domain="api.example.com"):
    return service("POST", f"/attest?domain={domain}", {"group": group})[1]["token"]


def approov(*words):
    status, answer = service("POST", "/approov?confirm=YES", words, KEY)
    assert status == 200, answer


class BackendTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The service's clock is an hour late, and is put right then.
        cls.expired = token("normal")
        service("POST", "/clock", {"advance": "1h"})
        cls.phone = backend.app.test_client()

    def ask(self, shown):
        headers = {} if shown is None else {"Approov-Token": shown}
        return self.phone.get("/hello", headers=headers).status_code

    def test_a_normal_phone(self):
        self.assertEqual(self.ask(token("normal")), 200)

    def test_a_rooted_phone(self):
        self.assertEqual(self.ask(token("rooted")), 401)

    def test_a_banned_phone(self):
        self.assertEqual(self.ask(token("banned")), 401)

    def test_an_expired_token(self):
        self.assertEqual(self.ask(self.expired), 401)

    def test_no_token(self):
        for shown in [None, "", "x", "a.b.c", "a.b.c.d.e"]:
            self.assertEqual(self.ask(shown), 401)

    def test_a_rotated_key_set(self):
        before = token("normal", "keys.example.com")
        self.assertEqual(self.ask(before), 200)
        approov("keyset", "-add", "ES256", "-kid", "second")
        approov("api", "-remove", "keys.example.com")
        approov("api", "-add", "keys.example.com", "-keySetKID", "second")
        self.assertEqual(self.ask(token("normal", "keys.example.com")), 200)
        self.assertEqual(self.ask(before), 200)
        self.assertEqual(self.ask(token("rooted", "keys.example.com")), 401)

    def test_a_primary_outage(self):
        service("PUT", "/outage", {"primary": True})
        self.addCleanup(service, "PUT", "/outage", {"primary": False})
        # The failover notices within a minute.
        self.assertEqual(service("POST", "/attest?domain=api.example.com", {"group": "normal"})[0], 503)
        service("POST", "/clock", {"advance": "1m"})
        self.assertEqual(self.ask(token("normal")), 200)
        self.assertEqual(self.ask(token("rooted")), 401)
        self.assertEqual(self.phone.get("/status").json, {"service": "failed"})

    def test_a_total_outage(self):
        service("PUT", "/outage", {"primary": True, "failover": True})
        self.addCleanup(service, "PUT", "/outage", {"primary": False, "failover": False})
        self.assertEqual(service("POST", "/attest?domain=api.example.com", {"group": "normal"})[0], 503)
        # The app continues without a token, and is not let in.
        self.assertEqual(self.ask(None), 401)


if __name__ == "__main__":
    unittest.main()
