"""What the personas of every protocol are described with."""

from typing import Annotated

from pydantic import Field, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60, pattern=r"^[^\n\r\t]+$")]
Models = str | Annotated[list[str], Field(min_length=1)]
