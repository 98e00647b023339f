"""Simulated collections of random shape, for the evaluation."""

import numpy as np

from poolhouse.demo.simulator import CollectionRecipe, OrganizationRecipe


def drawn_recipes(number: int = 8) -> list[CollectionRecipe]:
    """Return recipes whose organizations, pools and topics are drawn at random."""
    stream = np.random.default_rng(7)
    drawn = []
    for place in range(number):
        n_organizations = int(stream.integers(5, 17))
        depth = int(stream.choice([5, 10, 20, 50]))
        angles = np.clip(stream.normal(0.4, 0.35, n_organizations), 0, 1.5)
        organizations = tuple(
            OrganizationRecipe(
                f"o{each}-",
                int(stream.integers(1, 5)),
                keywords=float(np.cos(angle)),
                meaning=float(np.sin(angle)),
                noise=float(stream.choice([0.3, 0.5, 0.8, 1.2])),
            )
            for each, angle in enumerate(angles)
        )
        drawn.append(
            CollectionRecipe(
                name=f"drawn-{place}",
                title="Organizations drawn at random",
                document_prefix="D",
                first_topic=1,
                pool_depth=depth,
                organizations=organizations,
                n_topics=int(stream.choice([20, 30, 50])),
                n_documents=2000,
                run_depth=100,
                relevant=float(stream.choice([20, 50, 150])),
                keyword_share=float(stream.choice([0.4, 0.6, 0.8, 1.0])),
                ease_spread=0.5,
                relevant_spread=0.7,
            )
        )
    return drawn
