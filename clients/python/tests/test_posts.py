from decimal import Decimal

import pytest

from guildbook import (
    Amount,
    BadRequestError,
    BatchItem,
    BatchRefusedError,
    ConflictError,
    Guildbook,
    OverdraftError,
    PostedTransaction,
)

LARGEST = Decimal("900719925474.0991")


def post(client: Guildbook, player_id: str, amount: Amount, idempotency_key: str | None = None) -> PostedTransaction:
    return client.post_transaction(
        player_id=player_id,
        name="Iron Ingot",
        quantity=1,
        amount=amount,
        source="shop",
        idempotency_key=idempotency_key,
    )


@pytest.mark.parametrize(
    ("amount", "balance"),
    [
        (LARGEST, "900719925474.0991"),
        (-LARGEST, "-900719925474.0991"),
        ("0.0001", "0.0001"),
        (Decimal("1E+2"), "100"),
        (Decimal("12.50"), "12.5"),
        (3, "3"),
        ("123456789012.3456", "123456789012.3456"),
    ],
)
def test_amounts_stay_exact_to_the_last_digit(guildbook: Guildbook, amount: Amount, balance: str) -> None:
    player = f"exact {amount}"
    posted = post(guildbook, player, amount)
    assert posted.balance == Decimal(balance)
    assert posted.type == ("deposit" if posted.balance > 0 else "withdrawal")
    (listed,) = guildbook.transactions(player)
    assert listed.transaction_id == posted.transaction_id
    assert (listed.amount, listed.total) == (Decimal(balance), Decimal(balance))
    assert guildbook.get_account(player).balance == Decimal(balance)
    assert guildbook.get_transaction(posted.transaction_id).balance_after == Decimal(balance)


def test_sums_that_floats_get_wrong_are_right(guildbook: Guildbook) -> None:
    for amount in ("0.1", "0.2"):
        posted = post(guildbook, "sums", amount)
    assert posted.balance == Decimal("0.3")


@pytest.mark.parametrize("amount", [0.1, 1.0, True, None])
def test_a_float_is_refused_before_it_is_sent(guildbook: Guildbook, amount: object) -> None:
    with pytest.raises(TypeError, match="floats are not exact"):
        post(guildbook, "float", amount)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="floats are not exact"):
        guildbook.pay(from_player_id="a", to_player_id="b", amount=amount, name="Loan", source="bank")  # type: ignore[arg-type]
    assert guildbook.get_account("float").transaction_count == 0


def test_a_float_in_an_item_of_a_batch_is_refused() -> None:
    with pytest.raises(ValueError, match="amount must be a Decimal or an int, not a float"):
        BatchItem(player_id="p", name="n", quantity=1, amount=0.1, source="s")  # type: ignore[arg-type]


@pytest.mark.parametrize("amount", ["", "x", "NaN", "Infinity", Decimal("NaN")])
def test_an_amount_that_is_no_number_is_refused(guildbook: Guildbook, amount: Amount) -> None:
    with pytest.raises(ValueError, match="an amount must be a decimal number"):
        post(guildbook, "no number", amount)


def test_the_service_refuses_what_it_would_have_to_round(guildbook: Guildbook) -> None:
    with pytest.raises(BadRequestError) as caught:
        post(guildbook, "rounding", "0.00001")
    assert caught.value.status == 400
    assert "decimal places" in caught.value.message


def test_a_post_with_the_same_key_counts_once(guildbook: Guildbook) -> None:
    first = post(guildbook, "once", "1.5", idempotency_key="order 1")
    second = post(guildbook, "once", "1.5", idempotency_key="order 1")
    assert not first.replayed
    assert second.replayed
    assert (second.transaction_id, second.balance) == (first.transaction_id, first.balance)
    with pytest.raises(ConflictError) as caught:
        post(guildbook, "once", "2.5", idempotency_key="order 1")
    assert (caught.value.status, caught.value.idempotency_key) == (422, "order 1")
    assert guildbook.get_account("once").transaction_count == 1


def test_posts_without_a_key_get_keys_of_their_own(guildbook: Guildbook) -> None:
    assert [post(guildbook, "twice", 1).balance for _ in range(2)] == [1, 2]


@pytest.mark.parametrize("key", ["", " edge", "ü", "x" * 256])
def test_an_idempotency_key_that_cannot_be_a_header_is_refused(guildbook: Guildbook, key: str) -> None:
    with pytest.raises(ValueError, match="idempotency_key must be 1 to 255"):
        post(guildbook, "keys", 1, idempotency_key=key)


def test_a_flag_that_contradicts_the_sign_is_refused(guildbook: Guildbook) -> None:
    with pytest.raises(BadRequestError, match="potential exploit detected"):
        guildbook.post_transaction(player_id="f", name="n", quantity=1, amount=-1, source="s", deposit=True)


def test_a_withdrawal_that_is_not_covered_is_an_overdraft(strict: Guildbook) -> None:
    with pytest.raises(OverdraftError):
        post(strict, "poor", -1)
    with pytest.raises(OverdraftError) as caught:
        strict.pay(from_player_id="poor", to_player_id="rich", amount=1, name="Loan", source="bank")
    assert caught.value.code == "insufficient_funds"


def item(player_id: str, amount: str) -> BatchItem:
    return BatchItem(player_id=player_id, name="Payday", quantity=2, amount=Decimal(amount), source="payday")


def test_a_batch_is_posted_in_one_request_and_once(guildbook: Guildbook) -> None:
    items = [item("batch 1", "1.25"), item("batch 2", "-0.0001")]
    first = guildbook.post_batch(items, idempotency_key="payday 1")
    second = guildbook.post_batch(items, idempotency_key="payday 1")
    assert [(result.status, result.balance) for result in first] == [
        ("posted", Decimal("2.5")),
        ("posted", Decimal("-0.0002")),
    ]
    assert [result.status for result in second] == ["replayed", "replayed"]
    assert [result.transaction_id for result in second] == [result.transaction_id for result in first]


def test_a_refused_batch_names_the_item_and_posts_nothing(guildbook: Guildbook) -> None:
    with pytest.raises(BatchRefusedError) as caught:
        guildbook.post_batch([item("refused", "1"), item("refused", "0")])
    assert caught.value.code == "batch_refused"
    assert [result.status for result in caught.value.results] == ["skipped", "refused"]
    assert guildbook.get_account("refused").transaction_count == 0


def test_a_batch_that_is_not_atomic_posts_the_others(guildbook: Guildbook) -> None:
    results = guildbook.post_batch([item("partly", "1"), item("partly", "0")], atomic=False)
    assert [result.status for result in results] == ["posted", "refused"]


def test_a_payment_moves_an_exact_amount_from_one_player_to_another(guildbook: Guildbook) -> None:
    paid = guildbook.pay(
        from_player_id="payer",
        to_player_id="payee",
        amount="0.0003",
        name="Loan",
        source="bank",
        reference="loan-1",
        metadata={"table": "gold"},
    )
    assert (paid.from_.balance, paid.to.balance) == (Decimal("-0.0003"), Decimal("0.0003"))
    sides = list(guildbook.history(reference="loan-1"))
    assert {side.payment_id for side in sides} == {paid.payment_id}
    assert [side.metadata for side in sides] == [{"table": "gold"}, {"table": "gold"}]


def test_a_transaction_is_reversed_once(guildbook: Guildbook) -> None:
    posted = post(guildbook, "reversed", "2.5")
    reversal = guildbook.reverse(posted.transaction_id, reason="posted twice")
    assert reversal.transaction.balance_after == 0
    assert reversal.reversed.reversed_by == reversal.transaction.transaction_id
    with pytest.raises(ConflictError) as caught:
        guildbook.reverse(posted.transaction_id)
    assert (caught.value.status, caught.value.code) == (409, "already_reversed")


def test_several_transactions_are_reversed_together(guildbook: Guildbook) -> None:
    ids = [post(guildbook, "reversed together", amount).transaction_id for amount in ("1", "0.5")]
    entries = guildbook.reverse_all(ids, reason="event cancelled")
    assert [entry.reverses for entry in entries] == ids
    assert guildbook.get_account("reversed together").balance == 0
