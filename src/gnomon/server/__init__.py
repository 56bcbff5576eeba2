"""The HTTP door: parse, call one service function, show."""
