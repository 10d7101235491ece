"""Reads answers: JSON of a success, or the error that a refusal means."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import TypeVar

from pydantic import ValidationError

from guildbook import _json, errors
from guildbook._model import Model
from guildbook._requests import Request

ModelType = TypeVar("ModelType", bound=Model)

CLASSES: Mapping[int, type[errors.GuildbookError]] = {
    400: errors.BadRequestError,
    401: errors.UnauthorizedError,
    403: errors.ForbiddenError,
    404: errors.NotFoundError,
    410: errors.NotFoundError,
    409: errors.ConflictError,
    412: errors.ConflictError,
    422: errors.ConflictError,
    429: errors.RateLimitedError,
    502: errors.UnavailableError,
    503: errors.UnavailableError,
    504: errors.UnavailableError,
}
CLASSES_BY_CODE: Mapping[str, type[errors.GuildbookError]] = {
    "insufficient_funds": errors.OverdraftError,
    "batch_refused": errors.BatchRefusedError,
}
# Proxies send these too, with bodies of their own.
PASSING = (errors.RateLimitedError, errors.UnavailableError)
# POST /guild/ledger sends no code, so this refusal is recognised by its message.
OVERDRAFT_MESSAGE = "Bad request - the balance does not cover this withdrawal"


@dataclass(frozen=True)
class Answer:
    """A success."""

    headers: Mapping[str, str]
    body: object
    facts: errors.ErrorFacts

    def parse(self, model: type[ModelType]) -> ModelType:
        try:
            return model.model_validate(self.body)
        except ValidationError as cause:
            raise self.unexpected() from cause

    def header(self, name: str) -> str:
        try:
            return self.headers[name]
        except KeyError as cause:
            raise self.unexpected() from cause

    def decimal_header(self, name: str) -> Decimal:
        try:
            return Decimal(self.header(name))
        except ArithmeticError as cause:
            raise self.unexpected() from cause

    def is_replayed(self) -> bool:
        return self.headers.get("idempotency-replayed") == "true"

    def unexpected(self) -> errors.UnexpectedAnswerError:
        return errors.UnexpectedAnswerError("Answered with JSON that is not of this interface", self.facts)


@dataclass(frozen=True)
class RawAnswer:
    status: int
    headers: Mapping[str, str]
    content: bytes


def read_answer(raw: RawAnswer, request: Request, secret: str) -> Answer:
    body = _decode_or_none(raw.content)
    fields = body if isinstance(body, dict) else {}
    facts = errors.ErrorFacts(
        status=raw.status,
        code=_text_or_none(fields.get("code")),
        request_id=raw.headers.get("x-request-id"),
        retry_after=read_retry_after(raw.status, raw.headers),
        idempotency_key=request.idempotency_key,
        data=fields.get("data"),
    )
    if 200 <= raw.status < 300 and body is not None:
        return Answer(raw.headers, body, facts)
    message = _text_or_none(fields.get("message"))
    error_class = _class_of(raw.status, message, facts.code)
    if message is None and not issubclass(error_class, PASSING):
        error_class = errors.UnexpectedAnswerError
    # The service never repeats a key, but base_url may be the address of something that does.
    text = f"Answered with status {raw.status} and no JSON of this interface" if message is None else message
    raise error_class(text.replace(secret, "[key]"), facts)


def read_retry_after(status: int, headers: Mapping[str, str]) -> float | None:
    """The wait in seconds that the service or a proxy asks for.

    Retry-After has whole seconds. At a rate limit X-RateLimit-Reset-After names the same moment with milliseconds;
    where the two differ by more than a second, a proxy asks for more.
    """
    whole = _seconds_or_date(headers.get("retry-after"))
    exact = _seconds(headers.get("x-ratelimit-reset-after")) if status == 429 else None
    if whole is None or exact is None:
        return exact if whole is None else whole
    return exact if whole - exact <= 1 else whole


def _class_of(status: int, message: str | None, code: str | None) -> type[errors.GuildbookError]:
    if status < 400:
        return errors.UnexpectedAnswerError
    if status == 400 and message == OVERDRAFT_MESSAGE:
        return errors.OverdraftError
    if code is not None and code in CLASSES_BY_CODE:
        return CLASSES_BY_CODE[code]
    return CLASSES.get(status, errors.BadRequestError if status < 500 else errors.ServerError)


def _seconds_or_date(text: str | None) -> float | None:
    seconds = _seconds(text)
    if seconds is not None or text is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _seconds(text: str | None) -> float | None:
    is_number = text is not None and text.replace(".", "", 1).isdecimal()
    return float(text) if text is not None and is_number else None


def _decode_or_none(content: bytes) -> object:
    try:
        return _json.decode(content)
    except ValueError:
        return None


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
