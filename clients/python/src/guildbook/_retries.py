"""Decides whether and when a failed request is sent again."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from guildbook.errors import GuildbookError, NoAnswerError, RateLimitedError, UnavailableError

AsyncSleep: TypeAlias = Callable[[float], Awaitable[None]]
Sleep: TypeAlias = Callable[[float], None]

BACKOFF_FIRST = 0.1
BACKOFF_MAX = 5.0
DOUBLINGS_MAX = 10
PASSING: tuple[type[GuildbookError], ...] = (RateLimitedError, UnavailableError, NoAnswerError)
# After other failures a request may have been carried out, by a service whose answer a proxy did not pass on.
CERTAINLY_REFUSED: tuple[type[GuildbookError], ...] = (RateLimitedError,)


@dataclass(frozen=True, kw_only=True)
class RetrySettings:
    retries: int
    timeout: float
    attempt_timeout: float
    clock: Callable[[], float]
    random: Callable[[], float]

    def __post_init__(self) -> None:
        if isinstance(self.retries, bool) or not isinstance(self.retries, int) or self.retries < 0:
            raise ValueError("retries must be an int of at least 0")
        for name in ("timeout", "attempt_timeout"):
            seconds = getattr(self, name)
            if not (math.isfinite(seconds) and seconds > 0):
                raise ValueError(f"{name} must be a number of seconds above 0")


class Attempts:
    """The attempts of one call."""

    def __init__(self, settings: RetrySettings, *, is_repeatable: bool) -> None:
        self._settings = settings
        self._is_repeatable = is_repeatable
        self._failures = 0
        self._deadline = settings.clock() + settings.timeout

    def time_limit(self) -> float:
        """How long the next attempt may take, in seconds."""
        left = self._deadline - self._settings.clock()
        return max(0.001, min(self._settings.attempt_timeout, left))

    def wait_after(self, error: GuildbookError) -> float | None:
        """Seconds to wait before the next attempt, or None when there is none.

        The wait is the one that the service asks for plus a random part of a span that doubles each time, so that
        many clients do not return at the same moment.
        """
        passing = PASSING if self._is_repeatable else CERTAINLY_REFUSED
        if not isinstance(error, passing):
            return None
        span = min(BACKOFF_MAX, BACKOFF_FIRST * (1 << min(self._failures, DOUBLINGS_MAX)))
        wait: float = (error.retry_after or 0.0) + self._settings.random() * span
        is_over = self._settings.clock() + wait >= self._deadline
        if self._failures >= self._settings.retries or is_over:
            return None
        self._failures += 1
        return wait
