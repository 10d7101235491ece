from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import TypeVar

import anyio
import httpx2
import pytest
from conftest import BASE_URL, SAMPLE_KEY

from guildbook import AsyncGuildbook, BatchItem, Guildbook, LedgerEntry, UnauthorizedError

Result = TypeVar("Result")
PLAYER = "67744629"


def run(work: Callable[[AsyncGuildbook], Awaitable[Result]], key: str) -> Result:
    async def main() -> Result:
        async with AsyncGuildbook(BASE_URL, key, retries=1_000, timeout=300, attempt_timeout=120) as client:
            return await work(client)

    return anyio.run(main)


def test_reads_are_those_of_the_blocking_client(sample: Guildbook) -> None:
    async def work(client: AsyncGuildbook) -> None:
        user = await client.get_user("mistseeker")
        assert user == sample.get_user("mistseeker")
        transactions = [transaction async for transaction in client.transactions(PLAYER, max_amount=0)]
        assert transactions == list(sample.transactions(PLAYER, max_amount=0))
        assert [account async for account in client.accounts()] == list(sample.accounts())
        discharges = [record async for record in client.discharges(search="a")]
        assert discharges == list(sample.discharges(search="a"))

    run(work, SAMPLE_KEY)


def test_posts_at_once_all_arrive_once(own_guild_key: str) -> None:
    async def work(client: AsyncGuildbook) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(15):
                group.start_soon(post, client, "async")
        account = await client.get_account("async")
        assert (account.balance, account.transaction_count) == (Decimal("1.5"), 15)

    async def post(client: AsyncGuildbook, player_id: str) -> None:
        await client.post_transaction(player_id=player_id, name="Coin", quantity=1, amount="0.1", source="shop")

    run(work, own_guild_key)


def test_the_feed_is_followed_while_transactions_are_posted(own_guild_key: str) -> None:
    async def work(client: AsyncGuildbook) -> None:
        posted = await client.post_transaction(player_id="feed", name="first", quantity=1, amount=1, source="s")
        after = (await client.get_transaction(posted.transaction_id)).number - 1
        entries: list[LedgerEntry] = []
        async for entry in client.follow_feed(after=after, poll_interval=0):
            entries.append(entry)
            if len(entries) == 3:
                break
            item = BatchItem(player_id="feed", name=f"next {len(entries)}", quantity=1, amount=Decimal(1), source="s")
            await client.post_batch([item])
        assert [entry.name for entry in entries] == ["first", "next 1", "next 2"]

    run(work, own_guild_key)


def test_errors_and_retries_are_those_of_the_blocking_client() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(503 if len(waits) < 2 else 401, json={"message": "no"}, headers={"retry-after": "1"})

    async def main() -> None:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
        client = AsyncGuildbook("http://x", "k", http=http, sleep=sleep, random=lambda: 0.5)
        with pytest.raises(UnauthorizedError):
            await client.get_key()

    anyio.run(main)
    assert waits == [1.05, 1.1]
