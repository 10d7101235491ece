"""Fixtures. `npm run check:clients` starts the service with the sample data and sets the variables used here."""

import json
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from operations import unused_operations
from service import Service, create_guild, create_key

from guildbook import Guildbook

BASE_URL = os.environ["GUILDBOOK_URL"]
SAMPLE_KEY = os.environ["GUILDBOOK_KEY"]
DATABASE_URL = os.environ["GUILDBOOK_DATABASE_URL"]
# New guilds at every run, so that the tests can be run again against the same store.
OWN_GUILD = f"own-{uuid.uuid4()}"
STRICT_GUILD = f"strict-{uuid.uuid4()}"


sent_requests: set[tuple[str, str]] = set()


@pytest.fixture(scope="session", autouse=True)
def _record_requests() -> Iterator[None]:
    """Records the method and the address of every request of a blocking client."""
    send = httpx2.Client.send

    def record(client: httpx2.Client, request: httpx2.Request, **more: Any) -> httpx2.Response:
        sent_requests.add((request.method, str(request.url)))
        return send(client, request, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx2.Client, "send", record)
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Lists the operations that the tests did not use, after a run of all tests."""
    if config.args == config.getini("testpaths") and (unused := unused_operations(sent_requests)):
        terminalreporter.write_line(f"Operations without a tested method of the client: {', '.join(unused)}")


def connect(key: str, base_url: str = BASE_URL) -> Guildbook:
    """On a busy machine an answer may take longer than the defaults of a call."""
    return Guildbook(base_url, key, retries=1_000, timeout=300.0, attempt_timeout=120.0)


@pytest.fixture(scope="session")
def sample() -> Iterator[Guildbook]:
    """A client of the sample guild, with all scopes."""
    with connect(SAMPLE_KEY) as client:
        yield client


@pytest.fixture(scope="session")
def own_guild_key() -> str:
    """A key of an empty guild, with all scopes."""
    create_guild(DATABASE_URL, OWN_GUILD)
    return create_key(DATABASE_URL, OWN_GUILD)


@pytest.fixture(scope="session")
def guildbook(own_guild_key: str) -> Iterator[Guildbook]:
    """A client of an empty guild, with all scopes. Each test uses players of its own."""
    with connect(own_guild_key) as client:
        yield client


@pytest.fixture(scope="session")
def strict() -> Iterator[Guildbook]:
    """A client of a guild that forbids overdrafts."""
    create_guild(DATABASE_URL, STRICT_GUILD, overdraft="forbid")
    with connect(create_key(DATABASE_URL, STRICT_GUILD)) as client:
        yield client


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service with an empty store, which the test may kill and start again."""
    service = Service(tmp_path, json.loads(os.environ["GUILDBOOK_PORTS"])[0])
    create_guild(service.database_url, "own")
    service.start()
    yield service
    service.kill()
