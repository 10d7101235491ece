"""Amounts are exact decimals. A float is refused, because it is rarely the exact decimal that was written."""

from decimal import Decimal
from typing import TypeAlias

Amount: TypeAlias = Decimal | int | str
"""An amount as callers give it. `"12.50"` and `Decimal("12.50")` are the same amount."""


def to_decimal(amount: Amount) -> Decimal:
    if isinstance(amount, bool) or not isinstance(amount, Decimal | int | str):
        raise TypeError(
            f"an amount must be a Decimal, an int or a str, not a {type(amount).__name__}: floats are not exact"
        )
    try:
        value = Decimal(amount)
    except ArithmeticError:
        value = Decimal("NaN")
    if not value.is_finite():
        raise ValueError("an amount must be a decimal number")
    return value


def decimal_text(value: Decimal) -> str:
    """All digits and no exponent, as JSON and query strings take it."""
    return format(value, "f")
