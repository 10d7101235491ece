"""Writes the generated files of this package, or compares them with what would be written.

python generate.py            writes src/guildbook/models.py and src/guildbook/_sync
python generate.py --check    writes nothing, names each stale file and ends with status 1

The models come from docs/openapi.json by datamodel-code-generator. The blocking client comes from the asynchronous
one by unasync. Both tools have the versions of requirements-check.txt.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import unasync

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "docs" / "openapi.json"
PACKAGE = Path("src") / "guildbook"
MODELS = PACKAGE / "models.py"
ASYNC_SOURCE = PACKAGE / "_async"
SYNC_SOURCE = PACKAGE / "_sync"

MODELS_HEADER = (
    '''"""What the interface sends and takes. Made from docs/openapi.json by generate.py; do not edit by hand."""'''
)
SYNC_HEADER = "# Made from {source} by generate.py; do not edit by hand.\n"

# The service checks these. The client leaves them out, so that it keeps working when the service allows more.
CONSTRAINTS = {
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "pattern",
    "propertyNames",
    "uniqueItems",
}
EXAMPLES = {"example", "examples"}
# In requests the seconds may be left out; the client always sends them.
TIMES = {"date-time", "iso-date-time"}
# Their keys are names, not keywords of JSON Schema.
NAME_MAPS = {"paths", "properties", "responses", "schemas"}

GENERATOR_OPTIONS = [
    "--input-file-type=openapi",
    "--openapi-scopes",
    "schemas",
    "paths",
    "--output-model-type=pydantic_v2.BaseModel",
    "--base-class=guildbook._model.Model",
    "--target-python-version=3.10",
    "--target-pydantic-version=2.11",
    # A value that a later version of the service adds must not make an answer unreadable.
    "--ignore-enum-constraints",
    "--snake-case-field",
    "--use-annotated",
    "--use-operation-id-as-name",
    "--naming-strategy=parent-prefixed",
    "--collapse-root-models",
    "--use-field-description",
    "--use-schema-description",
    "--use-double-quotes",
    "--keep-model-order",
    "--disable-timestamp",
    "--formatters=ruff-format",
    f"--custom-file-header={MODELS_HEADER}",
]

SYNC_NAMES = {
    "AsyncClient": "Client",
    "AsyncGuildbook": "Guildbook",
    "AsyncIterator": "Iterator",
    "AsyncLedgerCalls": "LedgerCalls",
    "AsyncPostCalls": "PostCalls",
    "AsyncRecordCalls": "RecordCalls",
    "AsyncSleep": "Sleep",
    "AsyncTransport": "Transport",
    "AsyncWebhookCalls": "WebhookCalls",
    "_async": "_sync",
    "aclose": "close",
    "anyio": "time",
}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        make_models(made)
        make_sync(made)
        fresh = dict(read_files(made))
    stale = [name for name, text in fresh.items() if read_or_empty(HERE / name) != text]
    left_over = [name for name, _ in read_files(HERE) if is_generated(name) and name not in fresh]
    if "--check" in sys.argv:
        for name in stale + left_over:
            print(f"{name} is not up to date: run generate.py", file=sys.stderr)
        return 1 if stale or left_over else 0
    for name in left_over:
        (HERE / name).unlink()
    for name, text in fresh.items():
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_text(text, encoding="utf-8")
    return 0


def make_models(folder: Path) -> None:
    source = folder / "openapi.json"
    source.write_text(json.dumps(read_document()), encoding="utf-8")
    target = folder / MODELS
    target.parent.mkdir(parents=True)
    run_module("datamodel_code_generator", "--input", str(source), "--output", str(target), *GENERATOR_OPTIONS)


def run_module(name: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", name, *arguments], check=True)


def read_document() -> dict[str, Any]:
    """The document without the operator's bot, and with shapes only."""
    document: dict[str, Any] = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    paths = document["paths"]
    document["paths"] = {path: item for path, item in paths.items() if not path.startswith("/bot/")}
    shapes = keep_shapes(document)
    assert isinstance(shapes, dict)
    return shapes


def keep_shapes(node: object, *, has_names: bool = False) -> object:
    """Drops constraints, and makes every number a decimal: numbers of this interface are amounts, or integers."""
    if isinstance(node, list):
        return [keep_shapes(item) for item in node]
    if not isinstance(node, dict):
        return node
    if has_names:
        return {name: keep_shapes(value) for name, value in node.items() if not is_forbidden(value)}
    kept = {
        key: keep_shapes(value, has_names=key in NAME_MAPS)
        for key, value in node.items()
        if key not in CONSTRAINTS | EXAMPLES
        and not (key == "additionalProperties" and value is False)
        and not (key == "oneOf" and requires_only(value))
    }
    if "number" in (node.get("type"), *as_list(node.get("type"))):
        kept["format"] = "decimal"
    elif node.get("format") in TIMES:
        kept["format"] = "date-time"
    else:
        kept.pop("format", None)
    return kept


def is_forbidden(schema: object) -> bool:
    """Whether the schema allows no value: such a field must be absent, so the models do without it."""
    return isinstance(schema, dict) and schema.get("not") == {}


def requires_only(choices: list[dict[str, Any]]) -> bool:
    """Whether the choices differ in their required fields alone, which makes no other shape."""
    return all(set(choice) == {"required"} for choice in choices)


def as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def make_sync(folder: Path) -> None:
    sources = folder / ASYNC_SOURCE
    shutil.copytree(HERE / ASYNC_SOURCE, sources, ignore=shutil.ignore_patterns("__pycache__"))
    rule = unasync.Rule("/_async/", "/_sync/", additional_replacements=SYNC_NAMES)
    unasync.unasync_files([str(path) for path in sources.glob("*.py")], [rule])
    shutil.rmtree(sources)
    for made in (folder / SYNC_SOURCE).glob("*.py"):
        header = SYNC_HEADER.format(source=f"_async/{made.name}")
        made.write_text(header + made.read_text(encoding="utf-8"), encoding="utf-8")
    options = ["--quiet", "--no-cache", "--config", str(HERE / "pyproject.toml"), str(folder / SYNC_SOURCE)]
    run_module("ruff", "check", "--select=I", "--fix", *options)
    run_module("ruff", "format", *options)


def is_generated(name: str) -> bool:
    return Path(name) == MODELS or SYNC_SOURCE in Path(name).parents


def read_files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((folder / PACKAGE).rglob("*.py")):
        yield str(path.relative_to(folder)), path.read_text(encoding="utf-8")


def read_or_empty(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
