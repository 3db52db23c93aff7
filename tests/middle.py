"""Someone in the middle of the connections between hosts, for `tests/hosts.sh`.

    python3 tests/middle.py AFTER FAULT MARK LISTEN=TARGET..

Connections to each address LISTEN go on to the address TARGET. The first one that has carried more
than AFTER bytes in one direction has the FAULT, and then the file MARK is made:

    alter   one bit is changed
    drop    a piece of what comes is left out
    repeat  a piece comes twice
    hold    nothing comes through any more, and nobody is told
"""

import contextlib
import pathlib
import socket
import sys
import threading

once = threading.Lock()


def address(text):
    """The host and the port of an address."""
    host, port = text.rsplit(":", 1)
    return host, int(port)


def copy(source, target, after, fault, mark):
    """Copy bytes in one direction."""
    seen = 0
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 14):
            seen += len(data)
            if seen > after and once.acquire(blocking=False):
                pathlib.Path(mark).touch()
                middle = len(data) // 2
                if fault == "alter":
                    data = data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]
                elif fault == "drop":
                    data = data[middle + 1 :]
                elif fault == "repeat":
                    data += data
                elif fault == "hold":
                    threading.Event().wait()
                else:
                    raise ValueError(fault)
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def forward(listener, target, *fault):
    """Forward all connections to a listener."""
    while True:
        near, _ = listener.accept()
        try:
            far = socket.create_connection(target, timeout=10)
        except OSError:
            # Not started yet: the caller tries again.
            near.close()
            continue
        far.settimeout(None)
        for source, into in ((near, far), (far, near)):
            threading.Thread(target=copy, args=(source, into, *fault), daemon=True).start()


def main():
    """Listen until this process is killed."""
    after, fault, mark, *ways = sys.argv[1:]
    for way in ways:
        listen, target = map(address, way.split("="))
        listener = socket.create_server(listen, backlog=64)
        arguments = (listener, target, int(after), fault, mark)
        threading.Thread(target=forward, args=arguments).start()


main()
