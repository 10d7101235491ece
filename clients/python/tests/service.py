"""The real service as a process, and the commands of its operator."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

COMMAND: list[str] = json.loads(os.environ["GUILDBOOK_COMMAND"])
ALL_SCOPES = "guild:read,guild:write,users:read,records:write,webhooks:manage"


def run_command(database_url: str, *arguments: str) -> str:
    """Runs one command of the operator and returns its output."""
    environment = {**os.environ, "DATABASE_URL": database_url}
    return subprocess.run([*COMMAND, *arguments], env=environment, check=True, capture_output=True, text=True).stdout


def create_guild(database_url: str, guild_id: str, *, overdraft: str = "allow") -> None:
    options = ["--name", f"Guild {guild_id}", "--plan", "developer", "--overdraft", overdraft]
    run_command(database_url, "guild", "set", guild_id, *options)


def create_key(database_url: str, guild_id: str, scopes: str = ALL_SCOPES) -> str:
    options = ["--guild", guild_id, "--name", "check", "--scopes", scopes, "--expires", "1d", "--json"]
    return str(json.loads(run_command(database_url, "key", "create", *options))["key"])


class Service:
    """A service with a store of its own on a given port, to be killed and started again."""

    def __init__(self, folder: Path, port: int) -> None:
        self.database_url = f"sqlite:{folder}/guildbook.db"
        settings = {"DATABASE_URL": self.database_url, "PORT": str(port), "METRICS_PORT": "off"}
        self._environment = {**os.environ, **settings}
        self.address = f"http://127.0.0.1:{port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Returns when the service listens."""
        process = subprocess.Popen(
            [*COMMAND, "serve"], env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._process = process
        assert process.stdout is not None
        for line in process.stdout:
            if re.search(r'"address":"', line):
                return
        raise AssertionError("the service ended before it listened")

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
