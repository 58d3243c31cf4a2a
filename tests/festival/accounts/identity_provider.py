"""A small OpenID Connect provider on this machine, for one person."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self
from urllib.parse import parse_qs

import jwt


class IdentityProvider:
    """A provider whose person has the `claims`; `asked` holds the forms that were sent for a token."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self.asked: list[dict[str, str]] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.answer(provider.userinfo() if self.path == "/userinfo" else provider.describe())

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                provider.asked.append({name: value for name, [value] in form.items()})
                self.answer(provider.give_token())

            def answer(self, value: dict[str, Any]) -> None:
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
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

    def userinfo(self) -> dict[str, Any]:
        return {"sub": "p-1", **self.claims}

    def give_token(self) -> dict[str, Any]:
        lifetime = {"iat": 0, "exp": 2**40}
        claims = {"iss": self.url, "aud": "festival", **lifetime, **self.userinfo()}
        token = jwt.encode(claims, "k" * 32, "HS256")
        return {"access_token": "a", "token_type": "Bearer", "id_token": token}
