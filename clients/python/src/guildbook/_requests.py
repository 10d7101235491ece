"""A request as the calls describe it, before it is sent."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import TypeAlias
from urllib.parse import quote

from guildbook import _json
from guildbook._amounts import decimal_text
from guildbook._model import Model
from guildbook._times import time_text

IDEMPOTENCY_KEY_LENGTH_MAX = 255
QueryValue: TypeAlias = str | int | Decimal | date | Sequence[str] | None


@dataclass(frozen=True, kw_only=True)
class Request:
    method: str
    address: str
    """Path and query, encoded."""
    body: str | None = None
    """The same text at every attempt."""
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str | None = None
    is_repeatable: bool = True
    """False when a second execution would have a second effect. Then it is not repeated after a lost answer."""


def get(address: str) -> Request:
    return Request(method="GET", address=address)


def post(address: str, body: Model | Mapping[str, object], idempotency_key: str) -> Request:
    """A post that the service executes once, even when it is sent again."""
    return Request(method="POST", address=address, body=_encode_body(body), idempotency_key=idempotency_key)


def post_once(address: str, body: Model | None = None) -> Request:
    """A post without an idempotency key."""
    text = None if body is None else _encode_body(body)
    return Request(method="POST", address=address, body=text, is_repeatable=False)


def put(address: str, body: Model, if_match: str | None = None) -> Request:
    return Request(method="PUT", address=address, body=_encode_body(body), headers=_guard(if_match))


def delete(address: str, if_match: str | None = None) -> Request:
    return Request(method="DELETE", address=address, headers=_guard(if_match))


def path(*segments: str) -> str:
    return "/" + "/".join(_encode_segment(segment) for segment in segments)


def with_query(address: str, values: Mapping[str, QueryValue]) -> str:
    """Adds the parameters that are not None."""
    pairs = [f"{name}={_query_text(value)}" for name, value in values.items() if value is not None]
    return f"{address}?{'&'.join(pairs)}" if pairs else address


def check_idempotency_key(key: str, length_max: int = IDEMPOTENCY_KEY_LENGTH_MAX) -> str:
    """Spaces at its ends would be removed on the way."""
    if not re.fullmatch(r"[ -~]+", key) or len(key) > length_max or key != key.strip():
        raise ValueError(
            f"idempotency_key must be 1 to {length_max} printable ASCII characters without spaces at its ends"
        )
    return key


def _encode_body(body: Model | Mapping[str, object]) -> str:
    return _json.encode(body.to_interface() if isinstance(body, Model) else body)


def _guard(if_match: str | None) -> dict[str, str]:
    return {} if if_match is None else {"if-match": if_match}


def _encode_segment(segment: str) -> str:
    # URL parsers take "." and ".." for steps within the path, even when they are percent-encoded.
    if not isinstance(segment, str) or segment in {".", ".."}:
        raise ValueError('an id must be a str other than "." and ".."')
    return quote(segment, safe="")


def _query_text(value: QueryValue) -> str:
    """A comma separates the items of a list, so a comma within an item is encoded."""
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, datetime):
        return quote(time_text(value), safe="")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(quote(item, safe="") for item in value)
    return quote(str(value), safe="")
