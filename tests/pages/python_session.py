"""Runs the Python blocks of one page as one program: a line of JSON on stdin is a block, and a mark ends its output.

The blocks are put together in a file, so that tracebacks and `inspect` show the page's own lines.
"""

import json
import linecache
import os
import sys
import types
from pathlib import Path

END = "\x00end of block\n"


def main() -> None:
    script = Path(sys.argv[1])
    program = types.ModuleType("__main__")
    program.__file__ = str(script)
    sys.modules["__main__"] = program
    sys.path[0] = str(script.parent)
    written = ""
    for request in iter(sys.stdin.readline, ""):
        block = json.loads(request)
        os.environ.update(block["environment"])
        code = "\n" * written.count("\n") + block["code"]
        written += block["code"]
        script.write_text(written, encoding="utf-8")
        linecache.checkcache(str(script))
        exec(compile(code, str(script), "exec"), program.__dict__)
        print(end=END, flush=True)


if __name__ == "__main__":
    main()
