"""Runs what the documents show."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BASE_URL

import guildbook

HERE = Path(__file__).resolve().parent.parent
README = (HERE / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run_python(*arguments: str, **more: str) -> str:
    environment = {**os.environ, "PYTHONWARNINGS": "error", **more}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def test_the_readme_has_its_blocks() -> None:
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_of_the_readme_runs(block: str) -> None:
    # A secret of the right form, for the block that verifies webhooks.
    run_python("-c", block.replace("http://127.0.0.1:3000", BASE_URL), WEBHOOK_SECRET="whsec_AAAA")


def test_the_quick_start_prints_the_balance_and_the_largest_deposits() -> None:
    output = run_python("-c", BLOCKS[0].replace("http://127.0.0.1:3000", BASE_URL))
    assert re.match(r"mistseeker now has -?[\d.]+\n\d{4}-", output)


def test_the_example_sells_refunds_and_prints() -> None:
    output = run_python(str(HERE / "examples" / "shop.py"), GUILDBOOK_URL=BASE_URL)
    sold, refunded, *sales = output.splitlines()
    assert re.fullmatch(r"Sold 40 x Copper Nail for 3\.000; the balance is -?[\d.]+\.", sold)
    assert refunded.startswith("Refunded 3")
    assert len(sales) == 3


def test_the_readme_names_every_method_and_error() -> None:
    methods = [name for name in dir(guildbook.Guildbook) if not name.startswith("_") and name != "close"]
    errors = [name for name in guildbook.__all__ if name.endswith("Error")]
    missing = [name for name in methods + errors if f"`{name}" not in README]
    assert missing == []


def test_the_blocking_and_the_asynchronous_client_have_the_same_methods() -> None:
    blocking = {name for name in dir(guildbook.Guildbook) if not name.startswith("_")} - {"close"}
    asynchronous = {name for name in dir(guildbook.AsyncGuildbook) if not name.startswith("_")} - {"aclose"}
    assert blocking == asynchronous
