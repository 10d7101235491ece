import base64
import hashlib
import hmac
import json
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from receiver import receiving

from guildbook import (
    Guildbook,
    LedgerEntry,
    NewWebhook,
    NotFoundError,
    WebhookChanges,
    WebhookVerificationError,
    WebhookVerifier,
)

# The example of the Standard Webhooks specification.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
EVENT_ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
SENT_AT = 1614265330
OTHER_SECRET = "whsec_" + base64.b64encode(b"another secret of 32 bytes......").decode()
BODY = (
    b'{"type":"transaction.posted","timestamp":"2026-11-14T20:15:30.123Z","data":{"amount":12.5001,"note":"\xc3\xbc"}}'
)


def sign(secret: str, body: bytes = BODY, sent_at: int = SENT_AT) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{EVENT_ID}.{sent_at}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()


def headers(signature: str, sent_at: int | str = SENT_AT) -> dict[str, str]:
    return {"Webhook-Id": EVENT_ID, "Webhook-Timestamp": str(sent_at), "Webhook-Signature": signature}


def verifier(*secrets: str, now: float = SENT_AT) -> WebhookVerifier:
    return WebhookVerifier(*secrets, clock=lambda: now)


def test_the_example_of_the_standard_is_genuine() -> None:
    signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert sign(SECRET, b'{"test": 2432232314}') == signature
    with pytest.raises(WebhookVerificationError, match="not an event of Guildbook"):
        verifier(SECRET).verify(headers(signature), b'{"test": 2432232314}')


def test_a_genuine_delivery_is_an_event_with_exact_amounts() -> None:
    event = verifier(SECRET).verify(headers(sign(SECRET)), BODY)
    assert (event.id, event.type) == (EVENT_ID, "transaction.posted")
    assert event.timestamp == datetime(2026, 11, 14, 20, 15, 30, 123_000, tzinfo=timezone.utc)
    assert event.data == {"amount": Decimal("12.5001"), "note": "ü"}


def test_a_signature_by_any_of_several_secrets_is_accepted() -> None:
    assert verifier(OTHER_SECRET, SECRET).verify(headers(sign(SECRET)), BODY)
    assert verifier(SECRET).verify(headers(f"{sign(OTHER_SECRET)} v2,x {sign(SECRET)}"), BODY)


@pytest.mark.parametrize(
    "signature",
    [
        sign(OTHER_SECRET),
        sign(SECRET, BODY + b" "),
        sign(SECRET, BODY, SENT_AT + 1),
        sign(SECRET).removeprefix("v1,"),
        sign(SECRET).replace("v1,", "v1a,"),
        "v1,",
        "v1,ü",
        ",",
    ],
)
def test_another_signature_is_refused(signature: str) -> None:
    with pytest.raises(WebhookVerificationError, match="webhook-signature is not of these secrets"):
        verifier(SECRET).verify(headers(signature), BODY)


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
def test_a_missing_header_is_named(name: str) -> None:
    given = headers(sign(SECRET))
    del given[name]
    with pytest.raises(WebhookVerificationError, match=name.lower()):
        verifier(SECRET).verify(given, BODY)


def test_the_age_of_a_delivery_is_limited_in_both_directions() -> None:
    given = headers(sign(SECRET))
    for seconds in (-300, 300):
        assert verifier(SECRET, now=SENT_AT + seconds).verify(given, BODY)
    for seconds in (-301, 301):
        with pytest.raises(WebhookVerificationError, match="too far from the current time"):
            verifier(SECRET, now=SENT_AT + seconds).verify(given, BODY)
    for sent_at in ("soon", "1e9", "-1", "²"):
        with pytest.raises(WebhookVerificationError, match="not a number of seconds"):
            verifier(SECRET).verify(headers(sign(SECRET), sent_at), BODY)


@pytest.mark.parametrize("secrets", [(), ("",), ("whsec_",), ("whsec_***",), (SECRET, "whsec_ü")])
def test_a_secret_that_is_none_is_refused(secrets: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="secret"):
        WebhookVerifier(*secrets)


def test_a_body_that_was_decoded_before_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes"):
        verifier(SECRET).verify(headers(sign(SECRET)), BODY.decode())  # type: ignore[arg-type]


def test_deliveries_of_the_service_are_genuine_before_and_after_a_rotation(guildbook: Guildbook) -> None:
    with receiving() as receiver:
        new = NewWebhook(url=receiver.url, kind="standard", events=["transaction.posted"])
        created = guildbook.create_webhook(new)
        assert created.secret is not None
        posted = guildbook.post_transaction(
            player_id="hook", name="Iron Ingot", quantity=3, amount="-0.0001", source="s"
        )
        delivery = receiver.take()
        now = int(delivery.headers["webhook-timestamp"])
        event = verifier(created.secret, now=now).verify(delivery.headers, delivery.body)
        assert event.type == "transaction.posted"
        entry = LedgerEntry.model_validate(event.data)
        assert entry == guildbook.get_transaction(posted.transaction_id)
        assert (entry.total, entry.balance_after) == (Decimal("-0.0003"), Decimal("-0.0003"))

        rotated = guildbook.rotate_webhook(created.webhook.id)
        assert rotated.secret not in {None, created.secret}
        attempt = guildbook.test_webhook(created.webhook.id)
        assert attempt.status == 204
        delivery = receiver.take()
        now = int(delivery.headers["webhook-timestamp"])
        for secret in (created.secret, rotated.secret):
            assert secret is not None
            assert verifier(secret, now=now).verify(delivery.headers, delivery.body).type == "webhook.test"
        with pytest.raises(WebhookVerificationError):
            verifier(OTHER_SECRET, now=now).verify(delivery.headers, delivery.body)
        guildbook.delete_webhook(created.webhook.id)


def test_webhooks_are_listed_changed_replayed_and_deleted(guildbook: Guildbook) -> None:
    with receiving() as receiver:
        new = NewWebhook(url=receiver.url, kind="standard", events=["transaction.*"])
        webhook = guildbook.create_webhook(new).webhook
        assert webhook in guildbook.list_webhooks()
        changed = guildbook.change_webhook(webhook.id, WebhookChanges(events=["transfer.*"]))
        assert (changed.events, changed.url) == (["transfer.*"], webhook.url)
        attempt = guildbook.test_webhook(webhook.id)
        details = guildbook.get_webhook(webhook.id)
        assert details.webhook.events == ["transfer.*"]
        assert attempt in details.attempts
        guildbook.replay_webhook(webhook.id, since=datetime.now(timezone.utc) - timedelta(minutes=5))
        guildbook.delete_webhook(webhook.id)
        with pytest.raises(NotFoundError):
            guildbook.get_webhook(webhook.id)


def test_a_genuine_body_that_is_no_event_is_refused() -> None:
    for body in (b"", b"[]", b"{}", json.dumps({"type": "t", "timestamp": "today", "data": {}}).encode()):
        with pytest.raises(WebhookVerificationError, match="not an event of Guildbook"):
            verifier(SECRET).verify(headers(sign(SECRET, body)), body)


def test_the_clock_is_the_systems_unless_given() -> None:
    with pytest.raises(WebhookVerificationError, match="too far"):
        WebhookVerifier(SECRET).verify(headers(sign(SECRET)), BODY)
    now = int(time.time())
    assert WebhookVerifier(SECRET).verify(headers(sign(SECRET, BODY, now), now), BODY)
