import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from conftest import BASE_URL, DATABASE_URL, OWN_GUILD, connect
from service import create_key

from guildbook import (
    ConnectionFailedError,
    ForbiddenError,
    Guildbook,
    GuildbookError,
    ServerError,
    UnauthorizedError,
    UnexpectedAnswerError,
)

WRONG_KEY = "gbk_" + "x" * 46


def test_a_wrong_key_is_unauthorized_at_once() -> None:
    waits: list[float] = []
    with Guildbook(BASE_URL, WRONG_KEY, sleep=waits.append) as client, pytest.raises(UnauthorizedError) as caught:
        client.get_discharge("dis_1")
    error = caught.value
    assert (error.status, error.message) == (401, "Unauthorized - invalid API key")
    assert error.request_id
    assert str(error) == f"Unauthorized - invalid API key (status 401, request {error.request_id})"
    assert waits == []


@pytest.mark.usefixtures("guildbook")
def test_a_missing_scope_is_forbidden() -> None:
    with connect(create_key(DATABASE_URL, OWN_GUILD, "guild:read")) as client, pytest.raises(ForbiddenError) as caught:
        client.post_transaction(player_id="p", name="n", quantity=1, amount=1, source="s")
    assert caught.value.message == "Forbidden - missing required scope: guild:write"


@pytest.mark.usefixtures("guildbook")
def test_a_deleted_key_is_unauthorized() -> None:
    with connect(create_key(DATABASE_URL, OWN_GUILD)) as client:
        client.delete_key()
        with pytest.raises(UnauthorizedError):
            client.get_key()


@contextmanager
def other_server(status: int, headers: dict[str, str], body: bytes) -> Iterator[str]:
    """A server that is not Guildbook, and answers everything alike."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>"),
        (200, b'{"success":true,"data":{"id":"1"}}'),
        (200, b'{"success":false}'),
        (200, b"[NaN]"),
        (404, b"<html>not here"),
        (500, b""),
        (302, b""),
        (200, b"\xff\xfe"),
    ],
)
def test_an_answer_of_something_else_is_unexpected(status: int, body: bytes) -> None:
    with other_server(status, {"location": "https://example.org/"}, body) as address:
        with Guildbook(address, WRONG_KEY) as client, pytest.raises(UnexpectedAnswerError) as caught:
            client.get_discharge("dis_1")
        assert caught.value.status == status


def test_a_failure_of_the_service_is_not_tried_again() -> None:
    waits: list[float] = []
    body = b'{"success":false,"message":"Internal server error"}'
    with (
        other_server(500, {"x-request-id": "abc-1"}, body) as address,
        Guildbook(address, WRONG_KEY, sleep=waits.append) as client,
        pytest.raises(ServerError) as caught,
    ):
        client.get_key()
    assert caught.value.request_id == "abc-1"
    assert waits == []


def test_the_key_is_in_no_message_even_when_a_server_repeats_it() -> None:
    body = f'{{"message":"you sent {WRONG_KEY}"}}'.encode()
    with other_server(400, {}, body) as address, Guildbook(address, WRONG_KEY) as client:
        assert WRONG_KEY not in repr(client)
        with pytest.raises(GuildbookError) as caught:
            client.get_key()
    assert caught.value.message == "you sent [key]"


def test_a_connection_that_cannot_be_made_is_named() -> None:
    with (
        Guildbook("http://127.0.0.1:1", WRONG_KEY, retries=0) as client,
        pytest.raises(ConnectionFailedError, match="The connection failed: ConnectError") as caught,
    ):
        client.get_key()
    assert caught.value.status is None


def test_an_error_survives_being_pickled() -> None:
    with Guildbook(BASE_URL, WRONG_KEY) as client, pytest.raises(UnauthorizedError) as caught:
        client.get_key()
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - made in this test
    assert (type(copy), str(copy)) == (UnauthorizedError, str(caught.value))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Guildbook("localhost:3000", "k"), "base_url must be an address"),
        (lambda: Guildbook("ftp://example.org", "k"), "base_url must be an address"),
        (lambda: Guildbook("http://", "k"), "base_url must be an address"),
        (lambda: Guildbook("http://[::1", "k"), "base_url must be an address"),
        (lambda: Guildbook("http://user:pass@example.org", "k"), "base_url must not have a user"),
        (lambda: Guildbook("http://example.org?x=1", "k"), "base_url must not have a user"),
        (lambda: Guildbook(BASE_URL, ""), "api_key must be a key"),
        (lambda: Guildbook(BASE_URL, "two words"), "api_key must be a key"),
        (lambda: Guildbook(BASE_URL, "k", retries=-1), "retries must be an int"),
        (lambda: Guildbook(BASE_URL, "k", timeout=0), "timeout must be a number"),
        (lambda: Guildbook(BASE_URL, "k", attempt_timeout=float("inf")), "attempt_timeout must be a number"),
    ],
)
def test_a_wrong_option_is_named_without_its_value(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("record_id", [".", ".."])
def test_an_id_that_would_lead_elsewhere_is_refused(sample: Guildbook, record_id: str) -> None:
    with pytest.raises(ValueError, match="an id must be"):
        sample.get_discharge(record_id)


def test_a_slash_at_the_end_of_the_address_does_not_matter(sample: Guildbook, own_guild_key: str) -> None:
    with Guildbook(f"{BASE_URL}/", own_guild_key) as client:
        assert client.list_commands() == sample.list_commands()
