"""A receiver of webhooks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread


@dataclass(frozen=True)
class Delivery:
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Receiver:
    url: str
    deliveries: "Queue[Delivery]"

    def take(self) -> Delivery:
        """The next delivery; the limit is only reached when none comes at all."""
        return self.deliveries.get(timeout=300)


@contextmanager
def receiving() -> Iterator[Receiver]:
    deliveries: Queue[Delivery] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            deliveries.put(Delivery(dict(self.headers.items()), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Receiver(f"http://127.0.0.1:{server.server_port}/guildbook", deliveries)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
