"""The base class of the generated models."""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Model(BaseModel):
    """Fields have Python's names; the names of the interface are their aliases. Unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, validate_by_name=True, validate_by_alias=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_floats(cls, values: Any) -> Any:
        """Answers are read without floats, so a float can only come from a caller."""
        if isinstance(values, dict):
            for name, value in values.items():
                if isinstance(value, float):
                    raise ValueError(f"{name} must be a Decimal or an int, not a float: floats are not exact")
        return values

    def to_interface(self) -> dict[str, Any]:
        """What was given, under the names of the interface. A field that was not given is left out; None is null."""
        return self.model_dump(by_alias=True, exclude_unset=True)
