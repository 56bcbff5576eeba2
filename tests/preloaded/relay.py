"""Stands for a preloaded process: hands it the standard streams, passes signals on, and ends as it ended.

It runs hundreds of times, so it imports little.
"""

import json
import os
import signal
import socket
import sys

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def pass_on(pid: int, number: int) -> None:
    try:  # noqa: SIM105 - it imports little
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it has just ended, and its exit code is on its way


def main() -> None:
    address, *arguments = sys.argv[1:]
    signal.pthread_sigmask(signal.SIG_BLOCK, {*PASSED_ON, signal.SIGUSR1})  # until there is somebody to pass them to
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        fields = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
        socket.send_fds(connection, [json.dumps(fields).encode() + b"\n"], [0, 1, 2])
        with connection.makefile("r") as answers:
            pid = int(answers.readline())
            for number in PASSED_ON:
                signal.signal(number, lambda number, _: pass_on(pid, number))
            signal.signal(signal.SIGUSR1, lambda *_: pass_on(pid, signal.SIGKILL))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {*PASSED_ON, signal.SIGUSR1})
            code = int(answers.readline())
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


main()
