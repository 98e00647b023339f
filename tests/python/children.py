"""Child processes, forked from a process that has imported the package and done nothing else.

A child imports the module of its target. Targets are therefore in modules that import little.
"""

import multiprocessing
import pkgutil

import poolhouse

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        *(
            module.name
            for module in pkgutil.walk_packages(poolhouse.__path__, "poolhouse.")
            if not module.name.endswith(("__main__", "mcp_server.serving"))  # or the SDK
        ),
        "click.testing",
    ]
)
