from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from email.utils import format_datetime

import httpx2
import pytest
from conftest import BASE_URL, DATABASE_URL, OWN_GUILD
from service import create_key

from guildbook import (
    ConnectionFailedError,
    Guildbook,
    NewWebhook,
    NoAnswerError,
    RateLimitedError,
    TimedOutError,
    UnavailableError,
)

Reply = httpx2.Response | Exception
POSTED = {"success": True, "message": "Transaction Posted (deposit)", "type": "deposit"}
POSTED_HEADERS = {"transaction-id": "t", "account-balance": "1"}


class Script:
    """Answers requests from a list and takes no time to wait."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[httpx2.Request] = []
        self.waits: list[float] = []
        self._now = 0.0

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self._now += seconds

    def client(self, *, retries: int = 8, timeout: float = 30.0) -> Guildbook:
        return Guildbook(
            "http://guildbook.example.org/base",
            "gbk_any",
            retries=retries,
            timeout=timeout,
            http=httpx2.Client(transport=httpx2.MockTransport(self.answer)),
            sleep=self.sleep,
            clock=lambda: self._now,
            random=lambda: 0.5,
        )


def refusal(status: int, **headers: str) -> httpx2.Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, headers=names, json={"success": False, "message": "not now"})


def commands() -> httpx2.Response:
    return httpx2.Response(200, json={"success": True, "data": []})


def post(client: Guildbook) -> object:
    return client.post_transaction(player_id="p", name="n", quantity=1, amount=1, source="s")


def test_a_broken_connection_is_tried_again_after_waits_that_double_up_to_a_ceiling() -> None:
    script = Script(httpx2.ConnectError("refused"))
    with pytest.raises(ConnectionFailedError):
        script.client().list_commands()
    assert script.waits == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.5, 2.5]


def test_no_wait_exceeds_the_time_of_the_call() -> None:
    script = Script(httpx2.ReadTimeout("slow"))
    with pytest.raises(TimedOutError):
        script.client(timeout=1.0).list_commands()
    assert script.waits == [0.05, 0.1, 0.2, 0.4]


def test_many_retries_do_not_overflow() -> None:
    script = Script(httpx2.ConnectError("refused"))
    with pytest.raises(ConnectionFailedError):
        script.client(retries=2_000, timeout=1e9).list_commands()
    assert len(script.waits) == 2_000


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        (refusal(503, retry_after="2"), 2.0),
        (refusal(502), 0.0),
        (refusal(504), 0.0),
        (httpx2.Response(503, content=b"<html>"), 0.0),
        (refusal(429, retry_after="1", x_ratelimit_reset_after="0.250"), 0.25),
        (refusal(429, retry_after="7", x_ratelimit_reset_after="0.250"), 7.0),
        (refusal(429, retry_after="soon"), 0.0),
        (refusal(503, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), 0.0),
    ],
)
def test_the_wait_that_an_answer_asks_for_is_kept(reply: httpx2.Response, asked: float) -> None:
    script = Script(reply, commands())
    assert script.client().list_commands() == []
    assert script.waits == [asked + 0.05]


def test_a_date_to_wait_for_is_kept() -> None:
    moment = datetime.now(timezone.utc) + timedelta(hours=1)
    script = Script(refusal(503, retry_after=format_datetime(moment, usegmt=True)))
    with pytest.raises(UnavailableError) as caught:
        script.client().list_commands()
    assert script.waits == []
    assert caught.value.retry_after is not None
    assert 0 < caught.value.retry_after <= 3_600


@pytest.mark.parametrize(
    "trouble", [httpx2.ReadError("broken"), httpx2.ReadTimeout("slow"), refusal(503), refusal(429), refusal(504)]
)
def test_a_post_keeps_its_key_and_body_at_every_attempt(trouble: Reply) -> None:
    script = Script(trouble, trouble, httpx2.Response(200, headers=POSTED_HEADERS, json=POSTED))
    post(script.client())
    keys = {request.headers["idempotency-key"] for request in script.requests}
    bodies = {request.content for request in script.requests}
    assert (len(script.requests), len(keys), len(bodies)) == (3, 1, 1)
    assert str(script.requests[0].url) == "http://guildbook.example.org/base/guild/ledger"


def test_two_posts_have_two_keys() -> None:
    script = Script(httpx2.Response(200, headers=POSTED_HEADERS, json=POSTED))
    client = script.client()
    post(client)
    post(client)
    first, second = (request.headers["idempotency-key"] for request in script.requests)
    assert first != second


def test_a_post_without_an_answer_names_its_key() -> None:
    script = Script(httpx2.ReadError("broken"))
    with pytest.raises(NoAnswerError) as caught:
        post(script.client(retries=1))
    assert caught.value.idempotency_key == script.requests[0].headers["idempotency-key"]


@pytest.mark.parametrize(
    "trouble", [httpx2.ReadError("broken"), httpx2.ReadTimeout("slow"), refusal(503), refusal(504)]
)
@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.create_webhook(NewWebhook(url="https://example.org/", kind="standard", events=["key.*"])),
        lambda client: client.test_webhook("w"),
        lambda client: client.replay_webhook("w", event_id="evt_1"),
        lambda client: client.rotate_webhook("w"),
    ],
)
def test_a_post_without_a_key_is_sent_once(call: Callable[[Guildbook], object], trouble: Reply) -> None:
    script = Script(trouble)
    with pytest.raises((NoAnswerError, UnavailableError)):
        call(script.client())
    assert len(script.requests) == 1


def test_a_post_without_a_key_waits_for_the_rate_limit() -> None:
    script = Script(refusal(429, retry_after="1"))
    with pytest.raises(RateLimitedError):
        script.client(retries=2).rotate_webhook("w")
    assert len(script.requests) == 3


@pytest.mark.usefixtures("guildbook")
def test_the_rate_limit_of_the_service_is_waited_for_and_every_post_arrives_once() -> None:
    statuses: list[int] = []
    http = httpx2.Client(event_hooks={"response": [lambda response: statuses.append(response.status_code)]})
    key = create_key(DATABASE_URL, OWN_GUILD)
    posts = 0
    with (
        http,
        Guildbook(BASE_URL, key, retries=1_000, timeout=300, attempt_timeout=120, http=http) as client,
        ThreadPoolExecutor(20) as pool,
    ):
        # More than ten of them reach the service within a second, sooner or later.
        while 429 not in statuses:
            for posted in [pool.submit(_post_to, client, "limited") for _ in range(20)]:
                posted.result()
            posts += 20
        account = client.get_account("limited")
    assert statuses.count(200) == posts + 1
    assert (account.transaction_count, account.balance) == (posts, Decimal(posts))


def _post_to(client: Guildbook, player_id: str) -> object:
    return client.post_transaction(player_id=player_id, name="Iron Ingot", quantity=1, amount=1, source="shop")
