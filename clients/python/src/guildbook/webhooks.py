"""Verifies deliveries of webhooks, which are signed according to Standard Webhooks."""

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from guildbook import _json

SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix of every secret, not a secret
SIGNATURE_VERSION = "v1"

_times: TypeAdapter[datetime] = TypeAdapter(AwareDatetime)


class WebhookVerificationError(ValueError):
    """The delivery is not genuine, or it is too old. Answer 400 and do nothing."""


@dataclass(frozen=True)
class WebhookEvent:
    id: str
    """The same whenever the event is delivered again: remember the ids that you have dealt with."""
    type: str
    """Such as `transaction.posted`."""
    timestamp: datetime
    """When it happened."""
    data: Mapping[str, Any]
    """As the interface writes it. Amounts are Decimals or ints; `LedgerEntry.model_validate(data)` gives a model."""


class WebhookVerifier:
    """Verifies deliveries with one or several secrets; a signature by any of them is accepted.

    `tolerance` limits the age of a delivery in seconds. `clock` returns the time in seconds since 1970.
    """

    def __init__(self, *secrets: str, tolerance: float = 300.0, clock: Callable[[], float] = time.time) -> None:
        if not secrets:
            raise ValueError("at least one secret is needed")
        self._keys = [_read_secret(secret) for secret in secrets]
        self._tolerance = tolerance
        self._clock = clock

    def verify(self, headers: Mapping[str, str], body: bytes) -> WebhookEvent:
        """Returns the event of a genuine delivery. Give it the body as it arrived, before any JSON parser."""
        if not isinstance(body, bytes):
            raise TypeError("body must be the bytes of the request as they arrived")
        lower = {name.lower(): value for name, value in headers.items()}
        event_id = _required(lower, "webhook-id")
        sent_at = _required(lower, "webhook-timestamp")
        self._check_age(sent_at)
        self._check_signature(f"{event_id}.{sent_at}.".encode() + body, _required(lower, "webhook-signature"))
        return _read_event(event_id, body)

    def _check_age(self, sent_at: str) -> None:
        if not (sent_at.isascii() and sent_at.isdecimal()):
            raise WebhookVerificationError("webhook-timestamp is not a number of seconds")
        if abs(self._clock() - int(sent_at)) > self._tolerance:
            raise WebhookVerificationError("webhook-timestamp is too far from the current time")

    def _check_signature(self, content: bytes, header: str) -> None:
        """Compares every signature with every secret, in the same time whichever of them matches."""
        expected = [base64.b64encode(hmac.digest(key, content, hashlib.sha256)) for key in self._keys]
        given = [part.partition(",") for part in header.split(" ")]
        signatures = [text.encode() for version, _, text in given if version == SIGNATURE_VERSION]
        matches = [hmac.compare_digest(one, other) for one in signatures for other in expected]
        if not any(matches):
            raise WebhookVerificationError("webhook-signature is not of these secrets")


def _read_secret(secret: str) -> bytes:
    """Throws without repeating the secret."""
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError(f"a secret must be {SECRET_PREFIX} and base64")
    return key


def _required(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"the header {name} is missing")
    return value


def _read_event(event_id: str, body: bytes) -> WebhookEvent:
    try:
        event = _json.decode(body)
        if not isinstance(event, dict) or not isinstance(event["data"], dict):
            raise TypeError
        return WebhookEvent(event_id, str(event["type"]), _times.validate_python(event["timestamp"]), event["data"])
    except (KeyError, TypeError, ValueError, ValidationError) as cause:
        raise WebhookVerificationError("the body is not an event of Guildbook") from cause
