"""What calls return beside the models of the interface."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from guildbook.models import (
    LedgerEntry,
    LedgerTransaction,
    Pagination,
    PostPaymentResponseDataFrom,
    PostPaymentResponseDataTo,
    Webhook,
    WebhookAttempt,
)

Item = TypeVar("Item")


@dataclass(frozen=True)
class PostedTransaction:
    type: str
    """`deposit` or `withdrawal`."""
    message: str
    transaction_id: str
    balance: Decimal
    """The player's balance right after the transaction."""
    replayed: bool
    """The transaction had been posted before: by an earlier call, or by an attempt whose answer was lost."""


@dataclass(frozen=True)
class TransactionPage:
    transactions: Sequence[LedgerTransaction]
    pagination: Pagination


@dataclass(frozen=True)
class CursorPage(Generic[Item]):
    items: Sequence[Item]
    next_cursor: str | None
    """Reads the next page; None at the end."""


@dataclass(frozen=True)
class Reversal:
    transaction: LedgerEntry
    """The new transaction, which reverses the other one."""
    reversed: LedgerEntry
    replayed: bool


@dataclass(frozen=True)
class Payment:
    payment_id: str
    from_: PostPaymentResponseDataFrom
    to: PostPaymentResponseDataTo
    replayed: bool


@dataclass(frozen=True)
class Tagged(Generic[Item]):
    """A record with the tag of this version of it."""

    record: Item
    etag: str


@dataclass(frozen=True)
class WebhookDetails:
    webhook: Webhook
    attempts: Sequence[WebhookAttempt]
    """The last ones, newest first."""


@dataclass(frozen=True)
class CreatedWebhook:
    webhook: Webhook
    secret: str | None
    """Returned only once; None for a chat channel."""
