import time
import uuid
from collections.abc import Callable
from datetime import datetime, timezone
from decimal import Decimal
from itertools import islice

import pytest

from guildbook import ConflictError, Guildbook, NotFoundError, Receipt

PLAYER = "67744629"


def test_a_user_is_found_by_name_player_and_chat_id(sample: Guildbook) -> None:
    user = sample.get_user("MISTSEEKER")
    assert user.username == "mistseeker"
    assert user.player_id == PLAYER
    assert sample.get_user(f"player:{PLAYER}") == user
    assert sample.get_user(f"chat:{user.chat_id}") == user


def test_a_page_of_transactions_has_exact_amounts_and_its_pagination(sample: Guildbook) -> None:
    page = sample.list_transactions(PLAYER, limit=5, page=2, sort_by="total", sort_order="asc", max_amount=0)
    assert page.pagination.page == 2
    assert page.pagination.limit == 5
    assert len(page.transactions) == 5
    totals = [transaction.total for transaction in page.transactions]
    assert totals == sorted(totals)
    for transaction in page.transactions:
        assert isinstance(transaction.amount, Decimal)
        assert transaction.total == transaction.amount * transaction.quantity < 0
        assert transaction.created_at.tzinfo is not None


def test_all_transactions_of_a_player_are_walked_through_once_and_add_up_to_the_balance(sample: Guildbook) -> None:
    transactions = list(sample.transactions(PLAYER))
    account = sample.get_account(PLAYER)
    assert len({transaction.transaction_id for transaction in transactions}) == len(transactions)
    assert len(transactions) == account.transaction_count > 100
    assert sum(transaction.total for transaction in transactions) == account.balance


def test_transactions_are_filtered_by_source_and_amount(sample: Guildbook) -> None:
    source = sample.list_transactions(PLAYER, limit=1, min_amount="0.5").transactions[0].source
    deposits = list(sample.transactions(PLAYER, source=source, min_amount="0.5", sort_by="amount", sort_order="asc"))
    assert deposits
    assert all(item.source == source and item.amount >= Decimal("0.5") for item in deposits)


def test_an_account_is_read_as_it_was_at_a_time(sample: Guildbook) -> None:
    last = sample.list_transactions(PLAYER, limit=1).transactions[0]
    before = sample.get_account(PLAYER, at=datetime(2020, 1, 1, tzinfo=timezone.utc))
    assert (before.balance, before.transaction_count) == (Decimal(0), 0)
    assert sample.get_account(PLAYER, at=last.created_at) == sample.get_account(PLAYER)


def test_accounts_are_listed_by_balance_page_by_page(sample: Guildbook) -> None:
    first = sample.list_accounts(limit=2)
    second = sample.list_accounts(limit=2, cursor=first.next_cursor)
    ranks = [account.rank for account in [*first.items, *second.items]]
    assert ranks == [1, 2, 3, 4]
    every = list(sample.accounts())
    assert [account.rank for account in every] == list(range(1, len(every) + 1))
    assert len(every) > 100
    balances = [account.balance for account in every]
    assert balances == sorted(balances, reverse=True)


def test_accounts_of_named_players_come_in_the_order_given(sample: Guildbook) -> None:
    richest, second = sample.list_accounts(limit=2).items
    accounts = sample.get_accounts([second.player_id, "with,comma", richest.player_id])
    assert [account.player_id for account in accounts] == [second.player_id, "with,comma", richest.player_id]
    assert [account.balance for account in accounts] == [second.balance, 0, richest.balance]


def test_history_is_walked_through_newest_first_with_filters(sample: Guildbook) -> None:
    entries = list(sample.history(player_id=PLAYER, search="iron", max_amount=0))
    numbers = [entry.number for entry in entries]
    assert entries
    assert numbers == sorted(numbers, reverse=True)
    assert all(entry.player_id == PLAYER and entry.name.lower().startswith("iron") for entry in entries)
    newest = sample.list_history(limit=1).items[0]
    assert sample.get_transaction(newest.transaction_id) == newest
    assert not sample.list_history(until=datetime(2020, 1, 1, tzinfo=timezone.utc)).items


def test_the_feed_has_every_transaction_in_order(sample: Guildbook) -> None:
    last = sample.list_history(limit=1).items[0].number
    start = last - 2_500
    numbers = [entry.number for entry in islice(sample.feed(after=start), 2_500)]
    assert numbers == list(range(start + 1, last + 1))


def test_discharges_and_transfers_are_read_by_id(sample: Guildbook) -> None:
    discharge = sample.list_discharges(limit=1).items[0]
    assert sample.get_discharge(discharge.id) == discharge
    transfer = sample.list_transfers(limit=1).items[0]
    assert sample.get_transfer(transfer.id) == transfer


def test_commands_are_listed_by_category(sample: Guildbook) -> None:
    commands = sample.list_commands()
    category = commands[0].category
    chosen = sample.list_commands(category=category.upper())
    assert chosen == [command for command in commands if command.category == category]


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda client: client.get_discharge("nothing"), "Discharge not found"),
        (lambda client: client.get_transfer("nothing"), "Transfer not found"),
        (lambda client: client.get_user("nobody at all"), "User not found"),
        (lambda client: client.get_user("a/b?c#d%2F ü"), "User not found"),
    ],
)
def test_what_does_not_exist_is_not_found(sample: Guildbook, read: Callable[[Guildbook], object], message: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        read(sample)
    assert (caught.value.status, caught.value.message) == (404, message)
    assert caught.value.request_id


def test_the_key_describes_itself(sample: Guildbook) -> None:
    key = sample.get_key()
    assert "guild:write" in key.scopes
    assert key.limits.amount_max is None


def test_the_key_reads_its_refused_requests(guildbook: Guildbook) -> None:
    missing = f"missing-{uuid.uuid4().hex[:8]}"
    with pytest.raises(NotFoundError) as caught:
        guildbook.get_discharge(missing)
    request_id = caught.value.request_id
    deadline = time.monotonic() + 100
    while not (page := guildbook.list_key_requests(request_id=request_id)).items:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert [(item.code, item.path) for item in page.items] == [("discharge_not_found", f"/guild/discharges/{missing}")]
    assert page.items[0].user_agent.startswith("guildbook-python/")
    assert request_id in [item.request_id for item in guildbook.key_requests(refused=True, code="discharge_not_found")]
    usage = guildbook.get_key_usage(days=1)
    assert sum(hour.count for hour in usage.hours if hour.code == "discharge_not_found") >= 1


def test_a_sealed_transaction_has_a_receipt_and_later_checkpoints_contain_it(guildbook: Guildbook) -> None:
    posted = guildbook.post_transaction(player_id="sealed", name="Seal", quantity=2, amount="1.5", source="test")
    receipt = _receipt_of(guildbook, posted.transaction_id)
    assert receipt.transaction.transaction_id == posted.transaction_id
    assert (receipt.transaction.total, receipt.transaction.quantity) == ("3", 2)
    assert receipt.checkpoint.startswith(f"{receipt.origin}\n")
    seal = guildbook.get_seal()
    assert seal.size > receipt.index
    assert receipt.verifier_key in seal.verifier_keys
    size = int(receipt.checkpoint.split("\n")[1])
    proof = guildbook.get_consistency(size)
    assert (proof.from_, proof.size >= size) == (size, True)


def _receipt_of(guildbook: Guildbook, transaction_id: str) -> Receipt:
    deadline = time.monotonic() + 100
    while True:
        try:
            return guildbook.get_receipt(transaction_id)
        except ConflictError as error:
            assert error.code == "not_sealed_yet"
            assert time.monotonic() < deadline
            time.sleep(0.2)
