"""Checks the options of a client. No message contains a value, because it may be the key."""

import re
from importlib.metadata import version
from urllib.parse import urlsplit

USER_AGENT = f"guildbook-python/{version('guildbook')}"


def read_base_url(value: str) -> str:
    """The address without a slash at its end."""
    try:
        url = urlsplit(value)
        is_address = url.scheme in {"http", "https"} and bool(url.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError("base_url must be an address that begins with http:// or https://")
    if "@" in url.netloc or url.query or url.fragment:
        raise ValueError("base_url must not have a user, a query or a fragment")
    return f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}"


def read_api_key(value: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[!-~]+", value):
        raise ValueError("api_key must be a key: printable ASCII characters without spaces")
    return value
