# Made from _async/transport.py by generate.py; do not edit by hand.
import httpx2

from guildbook._answers import Answer, RawAnswer, read_answer
from guildbook._requests import Request
from guildbook._retries import Attempts, RetrySettings, Sleep
from guildbook._settings import USER_AGENT
from guildbook.errors import (
    ConnectionFailedError,
    ErrorFacts,
    GuildbookError,
    TimedOutError,
    UnexpectedAnswerError,
)


class Transport:
    """Sends requests, and repeats them when that is safe and useful."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        settings: RetrySettings,
        http: httpx2.Client | None,
        sleep: Sleep,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._settings = settings
        self._owns_http = http is None
        self._http = httpx2.Client() if http is None else http
        self._sleep = sleep

    def send(self, request: Request) -> Answer:
        attempts = Attempts(self._settings, is_repeatable=request.is_repeatable)
        while True:
            try:
                raw = self._send_once(request, attempts.time_limit())
                return read_answer(raw, request, self._api_key)
            except GuildbookError as error:
                wait = attempts.wait_after(error)
                if wait is None:
                    raise
            self._sleep(wait)

    def _send_once(self, request: Request, time_limit: float) -> RawAnswer:
        facts = ErrorFacts(idempotency_key=request.idempotency_key)
        try:
            response = self._http.request(
                request.method,
                self._base_url + request.address,
                headers=self._headers(request),
                content=request.body,
                timeout=time_limit,
                # Following a redirect could send the key to another host.
                follow_redirects=False,
            )
        except httpx2.TimeoutException as cause:
            raise TimedOutError(f"No answer within {time_limit:.3g} s", facts) from cause
        except httpx2.TransportError as cause:
            raise ConnectionFailedError(f"The connection failed: {type(cause).__name__}", facts) from cause
        except httpx2.HTTPError as cause:
            raise UnexpectedAnswerError(f"The answer is not readable: {type(cause).__name__}", facts) from cause
        return RawAnswer(response.status_code, response.headers, response.content)

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {
            "accept": "application/json",
            "user-agent": USER_AGENT,
            "x-api-key": self._api_key,
            **request.headers,
        }
        if request.body is not None:
            headers["content-type"] = "application/json"
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        return headers

    def close(self) -> None:
        """Closes the connections, unless they belong to an `http` that was passed in."""
        if self._owns_http:
            self._http.close()
