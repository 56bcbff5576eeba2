"""The HTTP server: parse a request, call one service function, show what it returns."""
