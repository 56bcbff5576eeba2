"""What a page may do in a browser: show itself. No script runs in it and it fetches nothing, from nowhere."""

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Styles are in the page and colour single marks of a plot, so that inline ones are allowed."""

POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{PAGE_POLICY}">'
"""The same for a page that is a file and comes without a server's headers."""
