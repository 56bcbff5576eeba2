"""Self-contained HTML pages: no script, style or picture from elsewhere."""
