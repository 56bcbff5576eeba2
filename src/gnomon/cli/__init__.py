"""The command line: parse, call one service function, show."""
