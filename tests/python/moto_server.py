"""An object store in memory that prints its port, and ends when its standard input ends.

So it ends with the process that started it, however this process ends.
"""

import sys

from moto.server import ThreadedMotoServer


def main() -> None:
    """Serve on a free port of the loopback interface."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    print(port, flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
