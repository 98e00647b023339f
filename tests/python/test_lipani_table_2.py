"""Test the seed of Table 2 of Lipani et al. 2015: its repeated track, and its last lines."""

import duckdb
import polars as pl

from poolhouse.building.plan import plan_of
from poolhouse.building.project import project_folder
from poolhouse.warehouse.frames import frame_of
from questions import question

SEEDS = project_folder() / "seeds"


def test_one_track_repeats_another() -> None:
    """Ad Hoc 6 has the figures and the sizes of Robust 2005; no other two tracks are equal."""
    figures = pl.read_csv(SEEDS / "published_lipani_2015_table_2.csv").drop("collection_id")
    by_track = {
        track[0]: rows.drop("track").sort("measure", "estimator").rows()
        for track, rows in figures.group_by("track")
    }
    alike = {
        (one, other)
        for one in by_track
        for other in by_track
        if one < other and by_track[one] == by_track[other]
    }
    assert alike == {("Ad Hoc 6", "Robust 2005")}
    tracks = pl.read_csv(SEEDS / "published_lipani_2015_tracks.csv")
    repeated = tracks.filter(pl.col("repeats_track").is_not_null())
    assert repeated.select("track", "repeats_track").rows() == list(alike)
    sizes = ["n_runs", "n_organizations", "n_pooled_runs", "pool_depth", "n_topics"]
    both = tracks.filter(pl.col("track").is_in(["Ad Hoc 6", "Robust 2005"])).select(sizes)
    assert both.n_unique() == 1


def test_counts_fit_with_the_repeated_track_alone() -> None:
    """MAE: 46, 18 and 0 of 75 as printed; 41, 18 and 0 of the 70 that are not repeated."""
    names = ("table_2", "table_2_counts", "tracks")
    nodes = {node.name: node for node in plan_of({}).nodes}
    with duckdb.connect() as connection:
        connection.execute("create schema seeds")
        for node in (nodes[f"published_lipani_2015_{name}"] for name in names):
            connection.execute(f"create table {node.relation} as {node.sql}")
        rows = frame_of(connection.sql(question("lipani_table_2_counts")))
    best = {
        row["estimator"]: (row["n_best"], row["published_n_best"], row["n_best_not_repeated"])
        for row in rows.filter(quantity="mae").to_dicts()
    }
    assert best == {
        "lipani": (46, 46, 41),
        "webber_park_systems_no_substitution": (18, 18, 18),
        "unadjusted": (0, 0, 0),
    }
    assert rows["n_cells"].unique().to_list() == [75]
    assert rows["n_cells_not_repeated"].unique().to_list() == [70]
    off = rows.filter(
        (pl.col("n_best") != pl.col("published_n_best"))
        | (pl.col("n_worst") != pl.col("published_n_worst"))
    ).sort("quantity", "estimator")
    columns = ["quantity", "estimator", "n_best", "published_n_best", "n_worst"]
    assert off.select(*columns, "published_n_worst").rows() == [
        ("mae", "unadjusted", 0, 0, 43, 44),
        ("sre", "unadjusted", 0, 0, 32, 33),
        ("sre", "webber_park_systems_no_substitution", 22, 23, 18, 18),
        ("sre_star", "lipani", 21, 20, 1, 1),
    ]
