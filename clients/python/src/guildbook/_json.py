"""JSON whose numbers stay exact in both directions."""

import json
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from guildbook._amounts import decimal_text
from guildbook._times import time_text


def encode(value: object) -> str:
    """The json module cannot write a Decimal as a number, so objects and lists are put together here."""
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, datetime):
        return json.dumps(time_text(value))
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(name)}:{encode(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(encode(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def decode(text: str | bytes) -> object:
    """Numbers with a fraction become Decimals, others integers. Raises ValueError for anything but JSON."""
    return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
