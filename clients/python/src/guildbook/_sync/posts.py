# Made from _async/posts.py by generate.py; do not edit by hand.
import uuid
from collections.abc import Callable, Mapping, Sequence

from guildbook import _requests as requests
from guildbook._amounts import Amount, to_decimal
from guildbook._answers import Answer
from guildbook._results import Payment, PostedTransaction, Reversal
from guildbook._sync.transport import Transport
from guildbook.models import (
    BatchItem,
    BatchResult,
    LedgerEntry,
    PostBatchResponse,
    PostPaymentResponse,
    PostReversalResponse,
    PostReversalsResponse,
    PostTransactionResponse,
)

# The service adds the position of each item to the key of a batch.
BATCH_KEY_LENGTH_MAX = 252


class PostCalls:
    """Calls that move money. Each needs the scope `guild:write` and is executed once, even when it is sent again."""

    _transport: Transport
    _create_idempotency_key: Callable[[], str] = staticmethod(lambda: str(uuid.uuid4()))

    def post_transaction(
        self,
        *,
        player_id: str,
        name: str,
        quantity: int,
        amount: Amount,
        source: str,
        deposit: bool | None = None,
        withdrawal: bool | None = None,
        idempotency_key: str | None = None,
    ) -> PostedTransaction:
        """Posts a deposit (positive amount) or a withdrawal (negative amount).

        When it returns, the transaction is on disk. `deposit` and `withdrawal` assert which of the two is meant.
        """
        body = {
            "playerId": player_id,
            "name": name,
            "quantity": quantity,
            "amount": to_decimal(amount),
            "source": source,
            "deposit": deposit,
            "withdrawal": withdrawal,
        }
        answer = self._post("/guild/ledger", body, idempotency_key)
        reply = answer.parse(PostTransactionResponse)
        return PostedTransaction(
            type=reply.type,
            message=reply.message,
            transaction_id=answer.header("transaction-id"),
            balance=answer.decimal_header("account-balance"),
            replayed=answer.is_replayed(),
        )

    def post_batch(
        self,
        transactions: Sequence[BatchItem],
        *,
        atomic: bool = True,
        idempotency_key: str | None = None,
    ) -> list[BatchResult]:
        """Posts up to 100 transactions with one request: all or none, or with `atomic=False` each on its own.

        Raises BatchRefusedError when an item of an atomic batch is refused.
        """
        body = {"atomic": atomic, "transactions": [item.to_interface() for item in transactions]}
        answer = self._post("/guild/transactions", body, idempotency_key, BATCH_KEY_LENGTH_MAX)
        return answer.parse(PostBatchResponse).data.results

    def pay(
        self,
        *,
        from_player_id: str,
        to_player_id: str,
        amount: Amount,
        name: str,
        source: str,
        reference: str | None = None,
        metadata: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> Payment:
        """Moves an amount from one player to another, in one commit."""
        body = {
            "fromPlayerId": from_player_id,
            "toPlayerId": to_player_id,
            "amount": to_decimal(amount),
            "name": name,
            "source": source,
            "reference": reference,
            "metadata": metadata,
        }
        answer = self._post("/guild/payments", body, idempotency_key)
        data = answer.parse(PostPaymentResponse).data
        return Payment(data.payment_id, data.from_, data.to, answer.is_replayed())

    def reverse(
        self, transaction_id: str, *, reason: str | None = None, idempotency_key: str | None = None
    ) -> Reversal:
        """Reverses a transaction by posting its opposite."""
        address = requests.path("guild", "transactions", transaction_id, "reversal")
        answer = self._post(address, {"reason": reason}, idempotency_key)
        data = answer.parse(PostReversalResponse).data
        return Reversal(data.transaction, data.reversed, answer.is_replayed())

    def reverse_all(
        self,
        transaction_ids: Sequence[str],
        *,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> list[LedgerEntry]:
        """Reverses up to 100 transactions, all or none. Returns the new transactions."""
        body = {"transactionIds": list(transaction_ids), "reason": reason}
        answer = self._post("/guild/reversals", body, idempotency_key)
        return answer.parse(PostReversalsResponse).data.transactions

    def _post(
        self,
        address: str,
        body: Mapping[str, object],
        idempotency_key: str | None,
        length_max: int = requests.IDEMPOTENCY_KEY_LENGTH_MAX,
    ) -> Answer:
        """Sends the fields that are not None. The key is generated once and stays the same at every attempt."""
        key = self._create_idempotency_key() if idempotency_key is None else idempotency_key
        requests.check_idempotency_key(key, length_max)
        given = {name: value for name, value in body.items() if value is not None}
        return self._transport.send(requests.post(address, given, key))
