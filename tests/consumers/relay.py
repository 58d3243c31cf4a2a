"""A web server of documents that the service has written, for programs that fetch by themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from django.test import Client


class Relay:
    """Documents by path, as the service sent them: a test decides at which instant they were fetched."""

    def __init__(self, client: Client, port: int) -> None:
        self.client = client
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.documents: dict[str, tuple[dict[str, str], bytes]] = {}

    def fetch(self, path: str) -> bytes:
        """Fetch a document from the service, and serve it until it is fetched again."""
        response = self.client.get(path)
        assert response.status_code == 200, response.content
        # Caching is tested elsewhere; here each program is to read the latest.
        headers = {name: response[name] for name in ("Content-Type", "Content-Length")}
        self.documents[path] = headers, response.content
        return response.content

    def address(self, path: str) -> str:
        """Fetch a document, and return where it is served."""
        self.fetch(path)
        return self.url + path


@contextmanager
def serve(client: Client) -> Iterator[Relay]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers, body = relay.documents.get(self.path, ({"Content-Type": "text/plain"}, b""))
            self.send_response(200 if self.path in relay.documents else 404)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    relay = Relay(client, server.server_port)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield relay
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
