"""Times as the interface takes them."""

from datetime import datetime, timezone


def time_text(value: datetime) -> str:
    if value.tzinfo is None:
        raise ValueError("a datetime must have a time zone: use datetime.now(timezone.utc), for example")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
