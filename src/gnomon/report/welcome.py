"""The page at `/`: where to go from here."""

from html import escape

from gnomon.report.policy import POLICY_TAG, served_policy

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { margin-bottom: 0; } code, pre { font: 0.9rem/1.5 ui-monospace, monospace; }
pre { padding: 0.9rem 1rem; border: 1px solid #8886; border-radius: 6px; overflow-x: auto; }
"""
POLICY = served_policy(_STYLE)


def page(version: str, url: str) -> str:
    """Plain words and commands to try on the server at `url`."""
    here = escape(url.rstrip("/"))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">{POLICY_TAG}<title>Gnomon</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>
<body><h1>Gnomon</h1>
<p>Version {escape(version)}. Measurements of what AI applications and agents did, with their intervals.</p>
<p>This server speaks JSON under <code>/v1</code>. <a href="/docs">The API, call by call</a> ·
<a href="/openapi.json">OpenAPI document</a> · <a href="/readyz">Is it ready?</a></p>
<p>The web application was not built into this installation. In a source checkout <code>make web</code> builds it.</p>
<h2>Try it</h2>
<pre>export GNOMON_API_KEY=…   # printed by `gnomon serve` or `gnomon key create`
curl -s -H "Authorization: Bearer $GNOMON_API_KEY" {here}/v1/projects
gnomon summary EXPERIMENT --project PROJECT --url {here}</pre>
</body></html>
"""
