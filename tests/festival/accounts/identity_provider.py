"""A small OpenID Connect provider on this machine, for one person."""

import json
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self
from urllib.parse import parse_qs, urlencode

import jwt
from pytest_django.fixtures import Settings


class IdentityProvider:
    """A provider whose person has the `claims`; `asked` holds the forms that were sent for a token."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self.asked: list[dict[str, str]] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, _mark, query = self.path.partition("?")
                if path == "/authorize":
                    self.answer_page(provider.ask(query))
                else:
                    self.answer(provider.userinfo() if path == "/userinfo" else provider.describe())

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                provider.asked.append({name: value for name, [value] in form.items()})
                self.answer(provider.give_token())

            def answer(self, value: dict[str, Any]) -> None:
                self.send("application/json", json.dumps(value).encode())

            def answer_page(self, html: str) -> None:
                self.send("text/html; charset=utf-8", html.encode())

            def send(self, media_type: str, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", media_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def describe(self) -> dict[str, Any]:
        names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        endpoints = {f"{name}_endpoint": f"{self.url}/{path}" for name, path in names.items()}
        return endpoints | {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}

    def ask(self, query: str) -> str:
        """Return the page at which the person agrees, and is sent back."""
        asked = {name: value for name, [value] in parse_qs(query).items()}
        back = f"{asked['redirect_uri']}?{urlencode({'code': 'c', 'state': asked['state']})}"
        return f'<!doctype html><title>Konton</title><a href="{escape(back)}">Continue as Anna</a>'

    def configure(self, settings: Settings) -> None:
        """Let the back office offer it."""
        settings.OIDC_SERVER_URL, settings.OIDC_NAME = self.url, "Stadens konton"
        app = {
            "provider_id": "organization",
            "name": settings.OIDC_NAME,
            "client_id": "festival",
            "secret": "s",
        }
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {
                "OAUTH_PKCE_ENABLED": True,
                "APPS": [app | {"settings": {"server_url": self.url}}],
            }
        }

    def userinfo(self) -> dict[str, Any]:
        return {"sub": "p-1", **self.claims}

    def give_token(self) -> dict[str, Any]:
        lifetime = {"iat": 0, "exp": 2**40}
        claims = {"iss": self.url, "aud": "festival", **lifetime, **self.userinfo()}
        token = jwt.encode(claims, "k" * 32, "HS256")
        return {"access_token": "a", "token_type": "Bearer", "id_token": token}
