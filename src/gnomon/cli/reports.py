"""Reports that `eval`, `compare` and `gate` write: Markdown for a pull request, JUnit XML for a build server."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli.files import write_text
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.report.gate import Gate

STDOUT = Path("-")
_report_file = click.Path(path_type=Path, dir_okay=False)


def report_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags `--markdown` and `--junit`."""
    markdown = click.option(
        "--markdown", "markdown_file", type=_report_file, metavar="FILE",
        help="Write a pull-request comment to this file; - writes it to stdout, instead of the text.",
    )  # fmt: skip
    junit = click.option(
        "--junit", "junit_file", type=_report_file, metavar="FILE", help="Write the gates as JUnit XML to this file."
    )
    return markdown(junit(command))


def check_reports(*files: Path | None, as_json: bool = False) -> None:
    """Refuse what cannot be written before anything is computed."""
    for path in files:
        if path == STDOUT and as_json:
            raise InvalidInput("--json and --markdown - both write to stdout; give --markdown a file")
        if path is not None and path != STDOUT and not path.parent.is_dir():
            raise InvalidInput(f"{path} cannot be written, since there is no folder {path.parent}; make it first")


def write_reports(
    markdown: Callable[[], str], gates: "Sequence[Gate]", command: str, markdown_file: Path | None,
    junit_file: Path | None,
) -> None:  # fmt: skip
    """Write what was asked for. In a GitHub job the Markdown is also added to the job's page."""
    from gnomon.report.gate import junit

    job_page = os.environ.get("GITHUB_STEP_SUMMARY")
    text = markdown() if markdown_file is not None or job_page else ""
    if markdown_file == STDOUT:
        click.echo(text, nl=False)
    elif markdown_file is not None:
        write_text(markdown_file, text, "--markdown")
    if job_page:
        write_text(Path(job_page), text, "--markdown", append=True)
    if junit_file is not None:
        write_text(junit_file, junit(gates, command), "--junit")
