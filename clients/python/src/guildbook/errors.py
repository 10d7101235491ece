"""Every failure of a call is a GuildbookError. Choose what to do by its class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guildbook.models import BatchResult


@dataclass(frozen=True)
class ErrorFacts:
    """What is known of a failure beside its message."""

    status: int | None = None
    code: str | None = None
    request_id: str | None = None
    retry_after: float | None = None
    idempotency_key: str | None = None
    data: object = None


class GuildbookError(Exception):
    """Base class. The API key is part of no message."""

    def __init__(self, message: str, facts: ErrorFacts | None = None) -> None:
        super().__init__(message)
        self._facts = facts or ErrorFacts()

    @property
    def message(self) -> str:
        """The service's own message where it sent one."""
        return str(self.args[0])

    @property
    def status(self) -> int | None:
        """The HTTP status; None when there was no answer."""
        return self._facts.status

    @property
    def code(self) -> str | None:
        """The service's code, such as `already_reversed`, where it sent one."""
        return self._facts.code

    @property
    def request_id(self) -> str | None:
        """Identifies the answer in the service's logs. Include it when you report a problem."""
        return self._facts.request_id

    @property
    def retry_after(self) -> float | None:
        """How many seconds the service asked to wait."""
        return self._facts.retry_after

    @property
    def idempotency_key(self) -> str | None:
        """The key that a post was sent with. Post again with this key, and the transaction is posted once."""
        return self._facts.idempotency_key

    @property
    def data(self) -> object:
        """Further facts that the service sent with a refusal, as decoded JSON."""
        return self._facts.data

    def __str__(self) -> str:
        known = {"status": self.status, "code": self.code, "request": self.request_id}
        details = ", ".join(f"{name} {value}" for name, value in known.items() if value is not None)
        return f"{self.message} ({details})" if details else self.message

    def __reduce__(self) -> tuple[type["GuildbookError"], tuple[str, ErrorFacts]]:
        return type(self), (self.message, self._facts)


class BadRequestError(GuildbookError):
    """The request is wrong (400, 413, 415) and would be refused again."""


class OverdraftError(BadRequestError):
    """The balance does not cover the withdrawal, and the guild forbids overdrafts."""


class UnauthorizedError(GuildbookError):
    """The key is missing, mistyped, expired or deleted (401)."""


class ForbiddenError(GuildbookError):
    """The key lacks the scope, or the post exceeds a limit of the key (403)."""


class NotFoundError(GuildbookError):
    """There is no such record in the key's guild (404), or it is archived (410, code "archived")."""


class ConflictError(GuildbookError):
    """The request conflicts with the current state (409, 412), or its idempotency key is in use (422)."""


class BatchRefusedError(ConflictError):
    """An item of an atomic batch was refused, so nothing was posted."""

    @property
    def results(self) -> "Sequence[BatchResult]":
        """One result for each item: the refused one has a code, the others were skipped."""
        from guildbook.models import PostBatchResponseData  # noqa: PLC0415 - models are slow to import

        return PostBatchResponseData.model_validate(self.data).results


class RateLimitedError(GuildbookError):
    """Too many requests (429), and retries did not help in time."""


class UnavailableError(GuildbookError):
    """The service cannot answer now (503; 502 and 504 of a proxy), and retries did not help in time."""


class ServerError(GuildbookError):
    """The service failed (500)."""


class NoAnswerError(GuildbookError):
    """No complete answer arrived. A post may have been carried out: repeat it with its `idempotency_key`."""


class ConnectionFailedError(NoAnswerError):
    """No connection could be made, or it broke before the answer was complete."""


class TimedOutError(NoAnswerError):
    """No answer in time."""


class UnexpectedAnswerError(GuildbookError):
    """The answer is not of this interface. Most likely `base_url` is the address of something else."""
