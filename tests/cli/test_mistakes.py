"""What a new user types wrong, and the one line that answers it: what is wrong, the value, the remedy.

Four tables: commands, suites, Python and HTTP. An answer is never a stack trace and never several lines.
"""

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import gnomon as gn
from cli.conftest import Run
from conftest import Server
from contract.caller import fresh_project
from gnomon.errors import GnomonError
from gnomon.sdk import connection

FILES: dict[str, str | bytes] = {
    "empty.jsonl": "",
    "empty.csv": "",
    "empty.parquet": "",
    "blank.jsonl": "\n\n  \n",
    "header.csv": "output,expected_output\n",
    "list.json": "[]",
    "good.jsonl": '{"id": 1, "input": "q", "output": "Paris", "expected_output": "Paris"}\n',
    "bad-line.jsonl": '{"output": "Paris", "expected_output": "Paris"}\n{"output": oops}\n',
    "bad-cells.csv": "output,expected_output\nParis,Paris\nRome\n",
    "bad-agents.csv": "agent,item,value\na,1,1\nb,1\n",
    "latin.csv": "output,expected_output\ncafé,x\n".encode("latin-1"),
    "renamed.jsonl": '{"answer": "Paris", "gold": "Paris"}\n',
    "pipes.csv": "agent|item|value\na|1|1\n",
    "agents.csv": "agent,item,value\na,1,1\na,2,0\nb,1,0\nb,2,1\n",
    "marks.csv": "agent,item,value\na,1,5\nb,1,3\n",
    "twice.csv": "agent,item,trial,value\na,1,1,1\na,1,1,0\n",
    "means.csv": "agent,n,mean\na,10,0.5\n",
    "ratings.jsonl": '{"judge": 1, "human": 1}\n{oops\n',
    "missing.csv": "judge,human\n1,nan\n",
    "not-a-number.jsonl": '{"output": NaN, "expected_output": 1}\n',
    "notes.txt": "hello",
    "not.parquet": "text",
    "damaged.db": "Dear reader\n" * 100,
    "not.yaml": "name: [x\n",
    "rubric.yaml": "name: x\n",
    "answer.py": "def answer(input):\n    return 'Paris'\n",
    "data.jsonl": '{"input": "q", "expected_output": "Paris"}\n',
    "suite/data.csv": "question;answer\nq;a\n",
}


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files above, where the command is typed."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


class Typed(NamedTuple):
    """A command line, how it ends, and what its answer says; variables stand before the command."""

    line: str
    code: int
    words: tuple[str, ...]


def typed(line: str, code: int, *words: str) -> Typed:
    return Typed(line, code, words)


FILE_GONE = "No such file or directory; name a file that can be read"
SKIP = "fix it, or leave such lines out with --skip-bad-lines"
EMPTY = "is empty; name a file with rows in it"

COMMANDS = [
    # --- the wrong file
    typed("score nowhere.jsonl --scorer exact_match", 2, f"nowhere.jsonl: {FILE_GONE}"),
    typed("score suite --scorer exact_match", 2, "suite is a folder; name a file in it"),
    typed("score empty.jsonl --scorer exact_match", 2, f"empty.jsonl {EMPTY}"),
    typed("score blank.jsonl --scorer exact_match", 2, f"blank.jsonl {EMPTY}"),
    typed("score empty.csv --scorer exact_match", 2, f"empty.csv {EMPTY}"),
    typed("score empty.parquet --scorer exact_match", 2, f"empty.parquet {EMPTY}"),
    typed("score header.csv --scorer exact_match", 2, "header.csv has no row that could be scored"),
    typed("score notes.txt --scorer exact_match", 2, "notes.txt is not .parquet, .jsonl", "convert it"),
    typed("score not.parquet --scorer exact_match", 2, "not.parquet cannot be read as Parquet", "write it again"),
    typed("score latin.csv --scorer exact_match", 2, "latin.csv, line 2 is not UTF-8; save the file as UTF-8"),
    typed("score bad-line.jsonl --scorer exact_match", 2, "bad-line.jsonl, line 2 is not JSON", SKIP),
    typed("score bad-cells.csv --scorer exact_match", 2, "bad-cells.csv, line 3 has 1 cell", SKIP),
    typed("score not-a-number.jsonl --scorer exact_match", 2, "line 1 is not JSON (NaN is not JSON; write null)", SKIP),
    typed("leaderboard empty.csv", 2, f"empty.csv {EMPTY}"),
    typed("leaderboard list.json", 2, "list.json holds no object with keys; write one JSON object per row"),
    typed("leaderboard bad-agents.csv", 2, "bad-agents.csv, line 3 has 2 cells", SKIP),
    typed("lint empty.jsonl", 2, f"empty.jsonl {EMPTY}"),
    typed("lint nowhere.csv", 2, f"nowhere.csv: {FILE_GONE}"),
    typed("import empty.csv", 2, f"empty.csv {EMPTY}"),
    typed("import nowhere.csv", 2, "nowhere.csv does not exist; name a file or a folder"),
    typed("import notes.txt", 2, "notes.txt has no known format; name it with --format"),
    typed("import bad-line.jsonl --columns output=output,id=output", 2, "line 2 is not JSON", SKIP),
    typed("calibrate --file empty.csv", 2, f"empty.csv {EMPTY}"),
    typed("calibrate --file nowhere.csv", 2, f"nowhere.csv: {FILE_GONE}"),
    typed("calibrate --file missing.csv", 2, "line 2: human is nan, not a finite number; leave the cell empty"),
    typed("calibrate --file ratings.jsonl", 2, "ratings.jsonl, line 2 is not JSON", SKIP),
    typed("OPENAI_API_KEY=k judge run good.jsonl --rubric nowhere.yaml --model gpt-4o", 2,
          "nowhere.yaml: No such file or directory; name a rubric file"),
    typed("OPENAI_API_KEY=k judge run good.jsonl --rubric not.yaml --model gpt-4o", 2, "not.yaml: not YAML at line"),
    typed("bench leaderboard nowhere", 2, "nowhere is not a folder; name the one that `gnomon bench run --out` wrote"),
    typed("bench score --transcript nowhere.jsonl", 3, "nowhere.jsonl: No such file", "name a transcript"),
    typed("bench run --scenario nowhere --agent reference:oracle --out runs", 3,
          "nowhere: there is no such folder; name the folder of a scenario package"),
    typed("plan --effect 0.05 --file nowhere.csv", 2, "nowhere.csv"),
    # --- the wrong place to write
    typed("score good.jsonl --scorer exact_match --out nowhere/scores.jsonl", 2,
          "the folder nowhere does not exist; make it first"),
    typed("score good.jsonl --scorer exact_match --out scores.txt", 2, "scores.txt is not .jsonl or .parquet"),
    typed("score good.jsonl --scorer exact_match --out good.jsonl", 2, "is the file that is read; write to another"),
    typed("leaderboard agents.csv --html nowhere/x.html", 2, "--html nowhere/x.html", "name another file"),
    # --- the wrong column
    typed("score renamed.jsonl --scorer exact_match", 2, "has no expected_output and no output, it has answer, gold",
          "--output-column and --expected-column"),
    typed("leaderboard good.jsonl", 2, "has the columns id, input, output, expected_output; name them agent,item"),
    typed("leaderboard pipes.csv", 2, "has one column, 'agent|item|value'; separate columns by commas"),
    typed("calibrate --file good.jsonl", 2, "has no judge and no human, it has id, input", "rename them"),
    typed("import good.jsonl --columns input=frage", 2, "has no column 'frage' (for input); there are id, input"),
    typed("import good.jsonl --columns input", 2, "--columns 'input' is not FIELD=COLUMN, as in input=NAME"),
    typed("import good.jsonl --range rating=1-5", 2, "--range 'rating=1-5' is not NAME=WORST..BEST"),
    # --- the wrong value
    typed("leaderboard marks.csv", 2, "marks.csv, line 2: value '5' is outside [0, 1]; divide by your scale first"),
    typed("leaderboard twice.csv", 2, "lines 2 and 3 both score agent 'a'", "keep one"),
    typed("leaderboard means.csv", 2, "has reported means, not scores; check them with: gnomon lint means.csv"),
    typed("leaderboard agents.csv means.csv", 2, "is another kind of table than agents.csv; give one kind"),
    typed("score good.jsonl --scorer exact_match:case_sensitive=maybe", 2, "case_sensitive should be a valid boolean",
          "'maybe'"),
    typed("score good.jsonl --scorer exact_match:case_sensitive", 2, "'case_sensitive' is not KEY=VALUE, as in"),
    typed("score good.jsonl --scorer regex", 2, "config.pattern is required; write it like --scorer 'regex:pattern="),
    typed("score good.jsonl --scorer-json '{oops'", 2, "--scorer-json: this is not JSON"),
    typed("plan --effect 2", 2, "effect is 2.0; it must be between 0 and 1"),
    typed("summary x --interval wald", 2, "'wald' is not one of 'wilson'", "see `gnomon summary --help`"),
    typed("export traces --after yesterday --out x.jsonl --db {db}", 2, "--after 'yesterday': not an ISO 8601 time"),
    typed("export scores --metadata foo --out x.jsonl --db {db} --project p", 2, "--metadata 'foo' is not KEY=VALUE"),
    # --- the wrong key, port, server, database
    typed("summary x --url http://127.0.0.1:1", 2, "there is no key for http://127.0.0.1:1; set GNOMON_API_KEY"),
    typed("summary x --url http://127.0.0.1:1 --key k", 3, "cannot reach http://127.0.0.1:1", "is the server running"),
    typed("summary x --url 127.0.0.1:8321 --key k", 2, "address is '127.0.0.1:8321'; write it like http://"),
    typed("summary x --url http://127.0.0.1:1 --key k --db x.db", 2, "--url and --db name two stores; give one"),
    typed("summary x --db nowhere.db", 3, "there is no database", "nowhere.db", "gnomon db upgrade"),
    typed("summary x --db damaged.db", 3, "damaged.db is damaged, or no database of Gnomon", "put a backup"),
    typed("db check --db damaged.db", 3, "damaged.db is damaged, or no database of Gnomon", "put a backup"),
    typed("summary x --db mysql://localhost/x", 2, "--db begins with mysql://; it begins with sqlite:///"),
    typed("GNOMON_DATABASE_URL=gnomon.db summary x", 2, "GNOMON_DATABASE_URL is not a URL; it begins with sqlite"),
    typed("GNOMON_MAX_BODY_MB=-1 summary x", 2, "GNOMON_MAX_BODY_MB is '-1'; it is a number of megabytes above 0"),
    typed("serve --port 99999", 2, "99999 is not in the range 0<=x<=65535", "see `gnomon serve --help`"),
    typed("serve --port http", 2, "'http' is not a whole number", "see `gnomon serve --help`"),
    typed("serve --public-url example.org", 2, "--public-url is 'example.org'; write http:// or https://, a host"),
    typed("serve --public-url https://example.org/v1", 2, "/v1 is a path of the server itself; choose another path"),
    typed("key create --role boss --db {db}", 2, "'boss' is not one of 'reviewer', 'read', 'write', 'admin'"),
    typed("key revoke nobody --db {db}", 3, "key 'nobody' does not exist; `gnomon key list` shows"),
    typed("db backup nowhere/x.db --db {db}", 2, "nowhere does not exist; make it first, or name another file"),
    typed("db backup notes.txt --db {db}", 2, "notes.txt exists already; name another file, or add --overwrite"),
    # --- the wrong model, extra, shell
    typed("judge run good.jsonl --rubric rubric.yaml --model gpt-4o", 2, "there is no key here; set OPENAI_API_KEY"),
    typed("judge run good.jsonl --rubric rubric.yaml --model nobody/x", 2, "'nobody/x' is nobody's",
          "GNOMON_JUDGE_PROVIDERS"),
    typed("completion powershell", 2, "'powershell' is not one of 'bash', 'zsh', 'fish'"),
    # --- the wrong order, too many, too few
    typed("score exact_match good.jsonl", 2, "unexpected extra argument (good.jsonl)", "see `gnomon score --help`"),
    typed("score --scorer exact_match", 2, "Missing argument 'FILE'", "see `gnomon score --help`"),
    typed("score good.jsonl", 2, "name at least one scorer, like --scorer exact_match"),
    typed("score good.jsonl --scorer exact_match --scorer exact_match", 2, "two scorers are named 'exact_match'"),
    typed("compare x", 2, "name two experiments, or a file that has two", "see `gnomon compare --help`"),
    typed("--json summary x", 2, "--json goes behind the command, as in `gnomon summary NAME --json`"),
    typed("leaderboard", 2, "nothing to rank; name a file, or a --dataset with its --scorer"),
    typed("leaderboard --dataset d", 2, "--dataset needs a --scorer"),
    typed("leaderboard agents.csv --scorer exact_match", 2, "--scorer goes with --dataset, not with files; leave it"),
    typed("leaderboard agents.csv --agent a", 2, "names its agents in the column 'agent'; --agent 'a' is for tables"),
    typed("calibrate helpfulness", 2, "name two scorers, as in: gnomon calibrate helpfulness human"),
    typed("export experiments x --db {db}", 2, "no destination; use --out FILE, --out - for stdout, or --otlp URL"),
    typed("export datasets --header a=b --out x.jsonl --db {db} --project p", 2, "--header goes with --otlp; leave it"),
    typed("bench score", 2, "give one of --transcript FILE, --transcripts DIR and --trace ID"),
    typed("outcome show last", 2, "'last' is not a whole number", "see `gnomon outcome show --help`"),
]  # fmt: skip


@pytest.fixture(scope="module")
def small_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one project and nothing else in it."""
    from gnomon.model.trace import ProjectDraft
    from gnomon.service.embedded import Embedded
    from gnomon.store.engine import open_store

    file = tmp_path_factory.mktemp("small") / "small.db"
    open_store(f"sqlite:///{file}").close()
    with Embedded(f"sqlite:///{file}") as backend:
        backend.create_project(ProjectDraft(id="p"))
    return file


@pytest.mark.parametrize("mistake", COMMANDS, ids=[command.line for command in COMMANDS])
def test_a_command(mistake: Typed, gnomon: Run, there: Path, small_db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = shlex.split(mistake.line.replace("{db}", str(small_db)))
    while arguments[0].isupper() or "=" in arguments[0]:
        monkeypatch.setenv(*arguments.pop(0).split("=", 1))
    done = gnomon(*arguments)
    assert (done.code, done.out) == (mistake.code, ""), done.err
    is_one_line(done.err)
    for words in mistake.words:
        assert words in done.err


def is_one_line(answer: str) -> None:
    assert answer.startswith("gnomon: ")
    assert answer.count("\n") == 1
    assert len(answer) < 600
    for internal in ("Traceback", "something broke here", ".part", ".tmp"):
        assert internal not in answer


# --- suites -----

SUITES = [
    ("", "is not a suite; write keys such as data, task and scorers"),
    ("[1, 2]", "is not a suite; write keys"),
    ("task: answer.py:answer\ndata: [", "not YAML at line"),
    ("data: data.jsonl\nscorers: [exact_match]", "task is missing; add task: module:function"),
    ("task: answer.py:answer\nscorers: [exact_match]", "the suite names no data; add data: FILE"),
    ("task: answer.py:answer\ndata: data.jsonl\nscorers: exact_match", "scorers"),
    ("task: answer.py:reply\ndata: data.jsonl\nscorers: [exact_match]", "reply"),
    ("task: nowhere.py:answer\ndata: data.jsonl\nscorers: [exact_match]", "nowhere.py"),
    ("task: answer.py:answer\ndata: nowhere.jsonl\nscorers: [exact_match]", "nowhere.jsonl, which does not exist"),
    ("task: answer.py:answer\ndata: empty.jsonl\nscorers: [exact_match]", f"empty.jsonl {EMPTY}"),
    ("task: answer.py:answer\ndata: bad-line.jsonl\nscorers: [exact_match]", "line 2: this is not JSON"),
    ("task: answer.py:answer\ndata: suite/data.csv\nscorers: [exact_match]", "has no column 'input', only question"),
    ("task: answer.py:answer\ndata: data.jsonl\nscorers: [{regex: {}}]", "regex needs pattern; write regex: {pattern"),
    ("task: answer.py:answer\ndata: data.jsonl\nscorers: [exact_match]\ntrials: many", "trials"),
    ("task: answer.py:answer\ndata: data.jsonl\nscorers: [exact_match]\ngates: [exact_match]", "compares with nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("suite", "words"), SUITES, ids=[words for _, words in SUITES])
def test_a_suite(suite: str, words: str, gnomon: Run, there: Path) -> None:
    (there / "suite.yaml").write_text(suite, encoding="utf-8")
    done = gnomon("eval", "suite.yaml", "--db", there / "evals.db")
    assert done.code == 2, done.err
    is_one_line(done.err)
    assert words in done.err


# --- Python -----


def answer(input: Any) -> str:
    return "Paris"


ITEMS = [{"input": "q", "expected_output": "Paris"}]
Mistake = Callable[[], Any]


def evaluated(task: Any = answer, data: Any = ITEMS, scorers: Any = None, **options: Any) -> Any:
    chosen = [gn.exact_match()] if scorers is None else scorers
    return gn.evaluate(task, data, chosen, name=options.pop("name", "x"), progress=False, **options)


PYTHON: list[tuple[str, Mistake, str]] = [
    ("a file that is not there", lambda: evaluated(data="datta.jsonl"), "does not exist; did you mean data.jsonl?"),
    ("an empty file", lambda: evaluated(data="empty.jsonl"), f"empty.jsonl {EMPTY}"),
    ("an empty list", lambda: evaluated(data=[]), "the list has no rows; an evaluation needs at least one item"),
    ("no input", lambda: evaluated(data=[{"question": "q"}]), "no column 'input', only question; name one of them"),
    ("a bad line", lambda: evaluated(data="bad-line.jsonl"), "bad-line.jsonl, line 2: this is not JSON"),
    ("a number as data", lambda: evaluated(data=5), "data is 5; give a path"),
    ("a called task", lambda: evaluated(task=answer("q")), "task is 'Paris', which cannot be called; give a function"),
    ("a task without arguments", lambda: evaluated(task=lambda: 1), "takes no argument; give it one"),
    ("a scorer that was not called", lambda: evaluated(scorers=[gn.exact_match]), "call it: gn.exact_match("),
    ("one scorer instead of a list", lambda: evaluated(scorers="exact_match"), "give a list of scorers"),
    ("two scorers of one name", lambda: evaluated(scorers=[gn.exact_match()] * 2), "two scorers are named"),
    ("trials as text", lambda: evaluated(trials="3"), "trials is '3'; give a whole number"),
    ("an empty name", lambda: evaluated(name=" "), "name is ' '; give 1 to 256 characters"),
    ("a bad pattern", lambda: gn.regex(pattern="("), "the pattern '(' is not a regular expression"),
    ("an address without http", lambda: gn.configure(url="localhost:8321", api_key="k"), "write it like http://"),
    ("two places", lambda: gn.configure(url="http://x", database="x.db"), "name two stores; give one of them"),
    ("a client without a key", lambda: gn.Client("http://127.0.0.1:1"), "there is no key for http://127.0.0.1:1"),
    ("no server", lambda: gn.Client("http://127.0.0.1:1", "k").whoami(), "is the server running there?"),
    ("a score outside of a span", lambda: gn.score("x", 1), "there is no span here; score inside of @trace"),
]  # fmt: skip


@pytest.fixture
def unconfigured(there: Path) -> Iterator[None]:
    gn.configure(database=str(there / "python.db"), project="p")
    yield
    connection.configure()


@pytest.mark.usefixtures("unconfigured")
@pytest.mark.parametrize(("mistake", "words"), [row[1:] for row in PYTHON], ids=[row[0] for row in PYTHON])
def test_python(mistake: Mistake, words: str) -> None:
    with pytest.raises(GnomonError) as told:
        mistake()
    assert words in told.value.message
    assert "\n" not in told.value.message


# --- HTTP -----


class Sent(NamedTuple):
    call: str
    status: int
    words: str
    json: Any = None
    content: bytes | None = None
    kind: str = "application/json"
    key: str | None = ""
    """None for no key; otherwise that of the server, or this one."""


HTTP = [
    Sent("GET /v1/projects", 401, "no key was given; send the header Authorization: Bearer", key=None),
    Sent("GET /v1/projects", 401, "this key is not valid; make one with `gnomon key create`", key="nope"),
    Sent("GET /v1/project", 404, "there is nothing at /v1/project; /docs lists what there is"),
    Sent("GET /v2/projects", 404, "there is nothing at /v2/projects; /docs lists what there is"),
    Sent("DELETE /v1/projects", 405, "DELETE is not allowed here; use GET, POST"),
    Sent("POST /v1/projects", 400, "the body is not JSON", content=b"{oops"),
    Sent("POST /v1/projects", 400, "the body is empty; send JSON", content=b""),
    Sent("POST /v1/projects", 400, "the body is [1]; send a JSON object with keys", json=[1]),
    Sent("POST /v1/datasets", 400, "name: is required", json={"project_id": "{project}"}),
    Sent("POST /v1/datasets", 400, "name: input should be a valid string (got 5)",
         json={"project_id": "{project}", "name": 5}),
    Sent("POST /v1/keys", 400, "role: input should be 'reviewer', 'read', 'write' or 'admin' (got 'boss')",
         json={"role": "boss"}),
    Sent("GET /v1/experiments?projekt_id=x", 400, "'projekt_id' is not known here; did you mean 'project_id'?"),
    Sent("GET /v1/experiments?project_id={project}&limit=0", 400, "greater than or equal to 1 (got '0')"),
    Sent("GET /v1/experiments?project_id={project}&cursor=abc", 400, "was not issued for this list", ),
    Sent("POST /v1/experiments", 404, "dataset 'nowhere' does not exist in project",
         json={"project_id": "{project}", "name": "e", "dataset_id": "nowhere"}),
    Sent("POST /v1/datasets/{dataset}/items/import", 400, "the body is empty; its first line names the columns",
         content=b"", kind="text/csv"),
    Sent("POST /v1/projects", 400, "NaN is not JSON; write null", content=b'{"id": NaN}'),
    Sent("POST /v1/datasets/{dataset}/items/import", 400, "no column 'input', only question, answer; name one",
         content=b"question;answer\nq;a\n", kind="text/csv"),
]  # fmt: skip


@pytest.fixture(scope="module")
def place(server_on: Callable[[str], Server]) -> dict[str, str]:
    """Names of a project and a dataset of a running server."""
    server = server_on("sqlite")
    project = fresh_project()
    own = {"Authorization": f"Bearer {server.admin_key}"}
    server.http.post("/v1/projects", headers=own, json={"id": project})
    made = server.http.post("/v1/datasets", headers=own, json={"project_id": project, "name": "d"})
    return {"{project}": project, "{dataset}": made.json()["id"]}


@pytest.mark.parametrize("sent", HTTP, ids=[f"{sent.call}: {sent.words}" for sent in HTTP])
def test_http(sent: Sent, place: dict[str, str], server_on: Callable[[str], Server]) -> None:
    server = server_on("sqlite")
    method, path = filled(sent.call, place).split(" ", 1)
    headers = {} if sent.key is None else {"Authorization": f"Bearer {sent.key or server.admin_key}"}
    body = {"json": filled(sent.json, place)} if sent.json is not None else {"content": sent.content}
    if sent.content is not None:
        headers["Content-Type"] = sent.kind
    answer = server.http.request(method, path, headers=headers, **body)
    assert answer.status_code == sent.status, answer.text
    assert sent.words in answer.json()["error"]["message"]


def filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, real in names.items():
            value = value.replace(name, real)
        return value
    return {key: filled(one, names) for key, one in value.items()} if isinstance(value, dict) else value


def test_there_are_enough_of_them() -> None:
    assert len(COMMANDS) + len(SUITES) + len(PYTHON) + len(HTTP) >= 60
