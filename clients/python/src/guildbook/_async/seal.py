from guildbook import _requests as requests
from guildbook._async.transport import AsyncTransport
from guildbook.models import (
    GetConsistencyResponse,
    GetConsistencyResponseData,
    GetReceiptResponse,
    GetSealResponse,
    GetSealResponseData,
    Receipt,
)


class AsyncSealCalls:
    """Calls that read checkpoints, receipts and proofs of the sealed ledger."""

    _transport: AsyncTransport

    async def get_seal(self) -> GetSealResponseData:
        """The last checkpoint, the keys that check it, and how many transactions are not sealed yet."""
        return (await self._transport.send(requests.get("/guild/seal"))).parse(GetSealResponse).data

    async def get_receipt(self, transaction_id: str) -> Receipt:
        """The receipt of a transaction.

        In the first seconds after the post it is a ConflictError with the code `not_sealed_yet`.
        `receipt.model_dump_json(by_alias=True)` is the text to keep.
        """
        address = requests.path("guild", "transactions", transaction_id, "receipt")
        return (await self._transport.send(requests.get(address))).parse(GetReceiptResponse).data.receipt

    async def get_consistency(self, from_size: int) -> GetConsistencyResponseData:
        """The proof that the present checkpoint contains an older one of this size."""
        address = requests.with_query("/guild/seal/consistency", {"from": from_size})
        return (await self._transport.send(requests.get(address))).parse(GetConsistencyResponse).data
