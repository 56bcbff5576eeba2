"""Writes web/src/api/schema.d.ts from the OpenAPI document: `make web-types`. A test compares the document's hash."""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
TYPES = ROOT / "web" / "src" / "api" / "schema.d.ts"


def document() -> bytes:
    from gnomon.server.app import openapi

    return json.dumps(openapi(), sort_keys=True).encode()


def first_line(made_from: bytes) -> str:
    """What the types say of the document that they were made from."""
    fingerprint = hashlib.sha256(made_from).hexdigest()[:16]
    return f"// Made from the OpenAPI document {fingerprint}; `make web-types` renews it."


def main() -> None:
    sys.path.insert(0, str(ROOT))
    import hatch_build

    made_from = document()
    if not (ROOT / "web" / "tools" / "node_modules").is_dir():
        hatch_build.install(ROOT / "web" / "tools")
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(made_from)
        file.flush()
        if hatch_build.run(ROOT, "tools/generate.mjs", file.name, str(TYPES), first_line(made_from)):
            sys.exit(1)


if __name__ == "__main__":
    main()
