# Made from _async/client.py by generate.py; do not edit by hand.
import random as system_random
import time
import time as system_time
from collections.abc import Callable
from types import TracebackType

import httpx2

from guildbook import _requests as requests
from guildbook._retries import RetrySettings, Sleep
from guildbook._settings import read_api_key, read_base_url
from guildbook._sync.key_log import SyncKeyLogCalls
from guildbook._sync.posts import PostCalls
from guildbook._sync.reads import LedgerCalls
from guildbook._sync.records import RecordCalls
from guildbook._sync.seal import SyncSealCalls
from guildbook._sync.transport import Transport
from guildbook._sync.webhooks import WebhookCalls
from guildbook.models import (
    ApiKey,
    BotCommand,
    Discharge,
    GetDischargeResponse,
    GetKeyResponse,
    GetVerificationResponse,
    ListCommandsResponse,
    Transfer,
    Verification,
)


class Guildbook(PostCalls, LedgerCalls, SyncSealCalls, RecordCalls, SyncKeyLogCalls, WebhookCalls):
    """A client of one guild. Every failure of a call is a GuildbookError.

    `retries` limits how often a call is sent again. `timeout` limits a call with all attempts and waits, and
    `attempt_timeout` one attempt, both in seconds. `http` sends the requests; without it the client makes one and
    closes it. `sleep`, `clock` and `random` are for tests. `create_idempotency_key` makes the key of a post that was
    given none.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: int = 8,
        timeout: float = 30.0,
        attempt_timeout: float = 10.0,
        http: httpx2.Client | None = None,
        sleep: Sleep = time.sleep,
        clock: Callable[[], float] = system_time.monotonic,
        random: Callable[[], float] = system_random.random,
        create_idempotency_key: Callable[[], str] | None = None,
    ) -> None:
        settings = RetrySettings(
            retries=retries, timeout=timeout, attempt_timeout=attempt_timeout, clock=clock, random=random
        )
        self._transport = Transport(
            read_base_url(base_url), read_api_key(api_key), settings=settings, http=http, sleep=sleep
        )
        self._sleep = sleep
        if create_idempotency_key is not None:
            self._create_idempotency_key = create_idempotency_key

    def get_discharge(self, discharge_id: str) -> Discharge:
        """Scope `guild:read`."""
        answer = self._transport.send(requests.get(requests.path("guild", "discharges", discharge_id)))
        return answer.parse(GetDischargeResponse).data

    def get_transfer(self, transfer_id: str) -> Transfer:
        """Scope `guild:read`."""
        # The one success without an envelope.
        answer = self._transport.send(requests.get(requests.path("guild", "transfers", transfer_id)))
        return answer.parse(Transfer)

    def get_user(self, query: str) -> Verification:
        """The person behind a chatId, a playerId or a user name, whatever its case. Scope `users:read`.

        Begin with `chat:`, `player:` or `name:` to name the kind.
        """
        answer = self._transport.send(requests.get(requests.path("users", query)))
        return answer.parse(GetVerificationResponse).data

    def list_commands(self, *, category: str | None = None) -> list[BotCommand]:
        """The commands of the chat bot, of one category or all."""
        address = requests.with_query("/commands", {"category": category})
        return (self._transport.send(requests.get(address))).parse(ListCommandsResponse).data

    def get_key(self) -> ApiKey:
        """The data of this key: name, scopes, expiry, limits. Any scope."""
        answer = self._transport.send(requests.get("/guild/key"))
        return answer.parse(GetKeyResponse).data.key

    def delete_key(self) -> None:
        """Deletes this key permanently. Any scope."""
        self._transport.send(requests.delete("/guild/key"))

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> "Guildbook":
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
