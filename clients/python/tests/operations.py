"""Compares the requests of the tests with the operations of docs/openapi.json."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"
METHODS = {"delete", "get", "patch", "post", "put"}
# add_discharge and add_transfer use PUT, which can be repeated.
REPLACED = {"POST /guild/records/discharges", "POST /guild/records/transfers"}


def unused_operations(requests: Iterable[tuple[str, str]]) -> list[str]:
    """The operations with a guild's key to which none of these requests went. A request is a method and an address."""
    sent = {f"{method} {urlsplit(address).path}" for method, address in requests}
    return [name for name in _operations() if name not in REPLACED and not any(map(_pattern(name).fullmatch, sent))]


def _operations() -> list[str]:
    paths: dict[str, dict[str, object]] = json.loads(DOCUMENT.read_text(encoding="utf-8"))["paths"]
    return [
        f"{method.upper()} {path}"
        for path, item in paths.items()
        for method in item
        if method in METHODS and not path.startswith("/bot/")
    ]


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(name)))
