from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Literal

from guildbook import _requests as requests
from guildbook._amounts import Amount, to_decimal
from guildbook._async.transport import AsyncTransport
from guildbook._paging import Seen
from guildbook._results import CursorPage, TransactionPage
from guildbook._retries import AsyncSleep
from guildbook.models import (
    Account,
    GetAccountResponse,
    GetTransactionResponse,
    LedgerEntry,
    LedgerTransaction,
    ListAccountsResponse,
    ListHistoryResponse,
    ListTransactionsResponse,
    RankedAccount,
    ReadFeedResponse,
)

SortBy = Literal["amount", "quantity", "total", "createdAt"]
SortOrder = Literal["asc", "desc"]

PAGE_LIMIT = 100
FEED_LIMIT = 1_000


class AsyncLedgerCalls:
    """Calls that read the ledger. Each needs the scope `guild:read`."""

    _transport: AsyncTransport
    _sleep: AsyncSleep

    async def list_transactions(
        self,
        player_id: str,
        *,
        page: int | None = None,
        limit: int | None = None,
        source: str | None = None,
        min_amount: Amount | None = None,
        max_amount: Amount | None = None,
        sort_by: SortBy | None = None,
        sort_order: SortOrder | None = None,
    ) -> TransactionPage:
        """One page of a player's transactions, newest first by default."""
        query: dict[str, requests.QueryValue] = {
            "page": page,
            "limit": limit,
            "from": source,
            "minAmount": _decimal_or_none(min_amount),
            "maxAmount": _decimal_or_none(max_amount),
            "sortBy": sort_by,
            "sortOrder": sort_order,
        }
        address = requests.with_query(requests.path("guild", "ledger", player_id, "transactions"), query)
        reply = (await self._transport.send(requests.get(address))).parse(ListTransactionsResponse)
        return TransactionPage(reply.data.transactions, reply.pagination)

    async def transactions(
        self,
        player_id: str,
        *,
        source: str | None = None,
        min_amount: Amount | None = None,
        max_amount: Amount | None = None,
        sort_by: SortBy | None = None,
        sort_order: SortOrder | None = None,
    ) -> AsyncIterator[LedgerTransaction]:
        """All of a player's transactions, each once. Each page is requested when it is needed."""
        seen = Seen()
        number, last = 1, 1
        while number <= last:
            page = await self.list_transactions(
                player_id,
                page=number,
                limit=PAGE_LIMIT,
                source=source,
                min_amount=min_amount,
                max_amount=max_amount,
                sort_by=sort_by,
                sort_order=sort_order,
            )
            for transaction in page.transactions:
                if seen.add(transaction.transaction_id):
                    yield transaction
            number, last = number + 1, page.pagination.total_pages

    async def get_account(self, player_id: str, *, at: datetime | None = None) -> Account:
        """A player's balance, now or at a time."""
        address = requests.with_query(requests.path("guild", "accounts", player_id), {"at": at})
        return (await self._transport.send(requests.get(address))).parse(GetAccountResponse).data

    async def get_accounts(self, player_ids: Sequence[str]) -> list[RankedAccount]:
        """The accounts of up to 100 players, in the given order."""
        address = requests.with_query("/guild/accounts", {"playerIds": player_ids})
        return (await self._transport.send(requests.get(address))).parse(ListAccountsResponse).data.accounts

    async def list_accounts(
        self, *, limit: int | None = None, cursor: str | None = None, sort_order: SortOrder | None = None
    ) -> CursorPage[RankedAccount]:
        """One page of the accounts by balance, largest first by default."""
        query: dict[str, requests.QueryValue] = {"limit": limit, "cursor": cursor, "sortOrder": sort_order}
        answer = await self._transport.send(requests.get(requests.with_query("/guild/accounts", query)))
        data = answer.parse(ListAccountsResponse).data
        return CursorPage(data.accounts, data.next_cursor)

    async def accounts(self, *, sort_order: SortOrder | None = None) -> AsyncIterator[RankedAccount]:
        """All accounts, ordered by balance."""
        page = await self.list_accounts(limit=PAGE_LIMIT, sort_order=sort_order)
        while True:
            for account in page.items:
                yield account
            if page.next_cursor is None:
                return
            page = await self.list_accounts(limit=PAGE_LIMIT, cursor=page.next_cursor, sort_order=sort_order)

    async def get_transaction(self, transaction_id: str) -> LedgerEntry:
        """One transaction with all its fields."""
        address = requests.path("guild", "transactions", transaction_id)
        return (await self._transport.send(requests.get(address))).parse(GetTransactionResponse).data.transaction

    async def list_history(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        player_id: str | None = None,
        source: str | None = None,
        min_amount: Amount | None = None,
        max_amount: Amount | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        reference: str | None = None,
        search: str | None = None,
    ) -> CursorPage[LedgerEntry]:
        """One page of the guild's transactions, newest first."""
        query: dict[str, requests.QueryValue] = {
            "limit": limit,
            "cursor": cursor,
            "playerId": player_id,
            "from": source,
            "minAmount": _decimal_or_none(min_amount),
            "maxAmount": _decimal_or_none(max_amount),
            "since": since,
            "until": until,
            "reference": reference,
            "search": search,
        }
        answer = await self._transport.send(requests.get(requests.with_query("/guild/transactions", query)))
        data = answer.parse(ListHistoryResponse).data
        return CursorPage(data.transactions, data.next_cursor)

    async def history(
        self,
        *,
        player_id: str | None = None,
        source: str | None = None,
        min_amount: Amount | None = None,
        max_amount: Amount | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        reference: str | None = None,
        search: str | None = None,
    ) -> AsyncIterator[LedgerEntry]:
        """All of the guild's transactions that match, newest first."""
        cursor: str | None = None
        while True:
            page = await self.list_history(
                limit=PAGE_LIMIT,
                cursor=cursor,
                player_id=player_id,
                source=source,
                min_amount=min_amount,
                max_amount=max_amount,
                since=since,
                until=until,
                reference=reference,
                search=search,
            )
            for entry in page.items:
                yield entry
            if page.next_cursor is None:
                return
            cursor = page.next_cursor

    async def read_feed(self, *, after: int = 0, limit: int | None = None) -> list[LedgerEntry]:
        """The transactions after a number, in the order of their commits."""
        address = requests.with_query("/guild/feed", {"after": after, "limit": limit})
        return (await self._transport.send(requests.get(address))).parse(ReadFeedResponse).data.transactions

    async def feed(self, *, after: int = 0) -> AsyncIterator[LedgerEntry]:
        """All transactions after a number, up to the newest."""
        while entries := await self.read_feed(after=after, limit=FEED_LIMIT):
            for entry in entries:
                yield entry
            after = entries[-1].number

    async def follow_feed(self, *, after: int = 0, poll_interval: float = 1.0) -> AsyncIterator[LedgerEntry]:
        """All transactions after a number, and then each new one. It never ends.

        Store the `number` of each transaction that you are done with, and begin with `after=number` next time.
        """
        while True:
            async for entry in self.feed(after=after):
                yield entry
                after = entry.number
            await self._sleep(poll_interval)


def _decimal_or_none(amount: Amount | None) -> requests.QueryValue:
    return None if amount is None else to_decimal(amount)
