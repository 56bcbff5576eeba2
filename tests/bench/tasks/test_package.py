"""Task packages on disk: what is written is read back, what is wrong is one line that names file and field."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.tasks.shop import EXAMPLE_NAMES, EXAMPLES, FILES, files, tiny, write_files
from gnomon.bench.tasks.package import is_task_package, load, seal, verify, write
from gnomon.errors import Refused


def refusal(folder: Path, made: dict[str, Any]) -> str:
    with pytest.raises(Refused) as refused:
        load(write_files(folder / "tiny", made))
    return refused.value.message.removeprefix(f"{folder / 'tiny'}: ")


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_the_examples_are_sealed_packages_of_ten_tasks(name: str) -> None:
    verified = verify(EXAMPLES / name)
    assert (verified.package, verified.tasks, verified.sealed, verified.notes) == (name, 10, True, [])


def test_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    package = tiny(tmp_path)
    folder = tmp_path / "tiny"
    (folder / "world.json").rename(folder / "world.yaml")
    (folder / "tasks/two_apples.json").rename(folder / "tasks/two_apples.yml")
    assert load(folder).task("two_apples").content_hash == package.task("two_apples").content_hash


def test_yaml_has_the_types_of_json_and_no_others(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "tiny", files())
    (folder / "world.json").unlink()
    (folder / "world.yaml").write_text(
        "stock: {apple: 5}\nsales: []\ntill: 1e2\nday: 2027-03-15\nanswer: no\n"
        "code: 0123\nflag: true\nnone: ~\ntext: '7'\n"
    )
    assert load(folder).world == {
        "stock": {"apple": 5}, "sales": [], "till": 100.0, "day": "2027-03-15", "answer": "no", "code": "0123",
        "flag": True, "none": None, "text": "7",
    }  # fmt: skip


def test_a_package_is_written_as_it_was_read(tmp_path: Path) -> None:
    package = tiny(tmp_path)
    written = load(write(package, tmp_path / "copy" / "tiny"))
    assert (written.about, written.world, written.tools, written.tasks) == (
        package.about, package.world, package.tools, package.tasks,
    )  # fmt: skip
    assert written.notes == []
    assert write(package, tmp_path / "copy" / "tiny") == tmp_path / "copy" / "tiny", "the same again changes nothing"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(Refused, match="holds something else already"):
        write(package, tmp_path / "full")


def test_unknown_keys_are_noted_when_read_and_refused_when_written(tmp_path: Path) -> None:
    made = files()
    made["package.json"]["colour"] = "red"
    made["tools.json"]["tools"][0]["do"][0]["note"] = 1
    made["tasks/two_apples.json"]["user"]["facts"][0]["mood"] = "good"
    made["extra.txt"] = "?"
    package = load(write_files(tmp_path / "tiny", made))
    assert package.notes == [
        "extra.txt is not a file of a task package; it is left aside",
        "package.json: colour is not a known key; it is left aside",
        "tools.json: count_stock.do[0].note is not a known key; it is left aside",
        "tasks/two_apples.json: user.facts[0].mood is not a known key; it is left aside",
        "there is no manifest, so a change would not be seen; `gnomon bench seal` writes one",
    ]
    with pytest.raises(Refused, match=r"^package.json: colour is not a known key; remove it \(and 2 more\)$"):
        write(package, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_change_after_sealing_is_refused_by_name_until_it_is_sealed_anew(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "tiny", files())
    sealed = seal(folder)
    assert verify(folder).sealed
    task = json.loads((folder / "tasks/two_apples.json").read_text())
    (folder / "tasks/two_apples.json").write_text(json.dumps({**task, "summary": "Other words."}))
    with pytest.raises(Refused, match=r"tasks/two_apples\.json has changed: Package hash mismatch"):
        load(folder)
    resealed = seal(folder)
    assert resealed.package_hash != sealed.package_hash
    assert resealed.task("two_apples").content_hash == sealed.task("two_apples").content_hash, (
        "a summary decides nothing"
    )


@pytest.mark.parametrize("change", ["policy", "world", "tool", "instruction", "expected"])
def test_what_decides_a_score_changes_the_content_hash(tmp_path: Path, change: str) -> None:
    made = files()
    if change == "policy":
        made["package.json"]["policy"] += " Always."
    elif change == "world":
        made["world.json"]["till"] = 1
    elif change == "tool":
        made["tools.json"]["tools"][2]["description"] += " For good."
    elif change == "instruction":
        made["tasks/two_apples.json"]["instruction"] += " Please."
    else:
        made["tasks/two_apples.json"]["required_words"] = []
    before = tiny(tmp_path / "before").task("two_apples").content_hash
    assert load(write_files(tmp_path / "after", made)).task("two_apples").content_hash != before


def changed(name: str, /, **fields: Any) -> dict[str, Any]:
    made = files()
    target = made[name]["tools"][0] if name == "tools.json" else made[name]
    target.update(fields)
    return made


TASK = "tasks/two_apples.json"


@pytest.mark.parametrize(
    ("made", "line"),
    [
        ({k: v for k, v in FILES.items() if k != "world.json"},
         "world.yaml is missing; a task package has it, or world.json"),
        ({k: v for k, v in FILES.items() if k != TASK}, "tasks/ has no task; a package has at least one tasks/ID.yaml"),
        ({**FILES, "world.yml": {}}, "world.yml and world.json say the same twice; remove one of them"),
        ({**FILES, "world.json": []}, "world.json is not an object; a world has keys with values"),
        (changed("package.json", family="other"), "package.json: family 'other': input should be 'tasks'"),
        (changed("package.json", name="a/b"),
         r"package.json: name 'a/b': string should match pattern '\A[A-Za-z0-9][A-Za-z0-9_-]{0,63}\z'"),
        (changed("tools.json", do=[{"set": "stock.apple"}]), "tools.json: tools[0].do[0]: set needs to; add it"),
        (changed("tools.json", do=[{"set": "a", "to": 1, "remove": "b"}]),
         "tools.json: tools[0].do[0]: has set and remove; give it one of lookup, compute, set, append, remove, error"),
        (changed("tools.json", do=[{}]),
         "tools.json: tools[0].do[0]: has no operation; give it one of lookup, compute, set, append, remove, error"),
        (changed("tools.json", do=[{"remove": "stock.apple", "to": 1}]),
         "tools.json: tools[0].do[0]: has to beside remove; it goes with set"),
        (changed("tools.json", do=[{"compute": "fruit +", "as": "x"}]),
         "tools.json: tools[0].do[0].compute: 'fruit +' is not an expression: invalid syntax"),
        (changed("tools.json", do=[{"remove": "stock.{friut}"}], returns=None),
         "tools.json: tools[0].do[0].remove: 'friut' is not defined here; did you mean 'fruit'?"),
        (changed("tools.json", do=[{"remove": "stock..x"}], returns=None),
         "tools.json: tools[0].do[0].remove: 'stock..x' is not a path; write keys with dots between them, like"
         " orders.W1.status"),
        (changed("tools.json", do=[{"compute": "1", "as": "stock"}], returns=None),
         "tools.json: tools[0].do[0].as: 'stock' has a meaning already; choose another name"),
        (changed("tools.json", name="sell"),
         "tools.json: tools[1].name: 'sell' is the name of two tools; rename one"),
        (changed("tools.json", parameters={"properties": {"stock": {"type": "string"}}}, do=[], returns=None),
         "tools.json: tools[0].parameters: 'stock' is also a key of the world, and expressions could not tell them"
         " apart; rename one"),
        (changed("tools.json", parameters={"type": "array"}),
         "tools.json: tools[0].parameters: the parameters of a tool are an object; give the schema `type: object`"),
        (changed("tools.json", parameters={"required": "fruit"}),
         "tools.json: tools[0].parameters: not a JSON Schema: $.required: 'fruit' is not of type 'array'"),
        (changed(TASK, expected={}),
         "tasks/two_apples.json: expected: says neither calls nor world; give the calls that solve the task, or"
         " values at paths"),
        (changed(TASK, required_calls=[{"tool": "sel"}]),
         "tasks/two_apples.json: required_calls[0].tool: 'sel' is not a tool of the package; did you mean 'sell'?"),
        (changed(TASK, required_calls=[{"tool": "sell", "args": {"fruits": 1}}]),
         "tasks/two_apples.json: required_calls[0].args: 'fruits' is not an argument of sell, which takes fruit,"
         " pieces"),
        (changed(TASK, required_calls=[{"tool": "sell", "where": "piece > 1"}]),
         "tasks/two_apples.json: required_calls[0].where: 'piece' is not defined here; did you mean 'pieces'?"),
        (changed(TASK, id="other"),
         "tasks/two_apples.json: id: 'other' is not the file's name 'two_apples'; make them the same"),
        (changed(TASK, changes={"shelf.apple": 1}),
         "tasks/two_apples.json: changes: there is nothing at 'shelf.apple' in the world; check the path"),
        (changed(TASK, max_steps=0),
         "tasks/two_apples.json: max_steps '0': input should be greater than or equal to 1"),
        (changed(TASK, instruction=None), "tasks/two_apples.json: instruction 'None': input should be a valid string"),
        (changed(TASK, expected={"world": {"stock.*": 1}}),
         "tasks/two_apples.json: expected.world: 'stock.*' has a *, which is for ignore only"),
    ],
)  # fmt: skip
def test_a_defect_is_one_line_that_names_file_and_field(tmp_path: Path, made: dict[str, Any], line: str) -> None:
    assert refusal(tmp_path, made) == line


def test_a_file_that_is_no_yaml_is_named_with_its_line(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "tiny", {k: v for k, v in FILES.items() if k != "world.json"})
    (folder / "world.yaml").write_text("stock: {apple: 5\nsales: []\n")
    with pytest.raises(Refused, match=r"world.yaml cannot be read: not YAML at line 2"):
        load(folder)


def test_a_folder_is_recognised_by_its_package_file(tmp_path: Path) -> None:
    assert is_task_package(write_files(tmp_path / "tiny", files()))
    assert not is_task_package(tmp_path)
