"""Write the seed `quantiles`: how many standard errors an interval reaches to either side.

SQL has no distributions, and scipy has. `just quantiles` runs this script. With --check, it fails
where the seed differs from scipy's values.
"""

import sys
from pathlib import Path

from scipy import stats

SEED = Path(__file__).parents[1] / "seeds" / "quantiles.csv"
CONFIDENCES = (0.68, 0.95)
# A larger sample of topics takes the last quantile, which differs by 0.3 % from the normal one.
MOST_DEGREES_OF_FREEDOM = 300


def main() -> None:
    """Write the seed, or compare the seed with a new one."""
    text = table()
    if "--check" not in sys.argv:
        SEED.write_text(text, encoding="utf-8")
    elif SEED.read_text(encoding="utf-8") != text:
        sys.exit(f"seeds/{SEED.name} is not what scipy says: just quantiles")


def table() -> str:
    """Return the lines: the normal distribution has no degrees of freedom, Student's t has them."""
    lines = ["method,confidence,degrees_of_freedom,quantile\n"]
    for confidence in CONFIDENCES:
        upper = (1 + confidence) / 2
        lines.append(f"normal,{confidence},,{stats.norm.ppf(upper):.8f}\n")
        for degrees in range(1, MOST_DEGREES_OF_FREEDOM + 1):
            lines.append(f"t,{confidence},{degrees},{stats.t.ppf(upper, degrees):.8f}\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
