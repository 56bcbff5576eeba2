"""What several kinds of scenarios are made of: data as in a user's files, tools, and files of memory."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Sha256 = Annotated[str, StringConstraints(pattern=r"\A[0-9a-f]{64}\z")]


class Data(BaseModel):
    """What is read from a user's file: frozen, and unknown keys are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")


class ToolParameter(Data):
    name: str = Field(description="Name of the argument")
    type: str = Field(description="string, integer, number or boolean")
    description: str = Field(description="What the argument is for")
    required: bool = Field(description="Whether a call needs it")


class ToolDefinition(Data):
    name: str = Field(description="Name of the tool; dotted for a server's tool")
    description: str = Field(description="What the tool does")
    parameters: list[ToolParameter] = Field(description="Its arguments")


class MemoryFile(Data):
    key: str = Field(description="Name under which the agent finds it")
    content: str = Field(description="Markdown")
