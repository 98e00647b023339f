"""Test expected scores: they are sampled means, and scores where nothing is unjudged."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from built_collections import built
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame
