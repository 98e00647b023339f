"""A server of Sail that prints its address, and ends when its standard input ends.

So it ends with the process that started it, however this process ends.
"""

import sys

from pysail.spark import SparkConnectServer


def main() -> None:
    """Serve on a free port of the loopback interface."""
    server = SparkConnectServer("127.0.0.1", 0)
    server.start()
    print(*server.listening_address, flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
