"""What compare.py found, kept for each processor by its name: tables/NAME.json. A run renews its own rows and leaves the others.

    python3 tests/bench/tables.py             every table, as Markdown
"""

import json
import re
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "tables"


def processor():
    """The name that the processor gives itself, with family and model: vendors give one name to several generations."""
    said = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        said.setdefault(key.strip(), value.strip())
    return f"{said.get('model name', 'unknown')} (family {said.get('cpu family', '?')}, model {said.get('model', '?')})"


def keep(rows, spread, peers, folder=FOLDER, held_to=""):
    """Rows of compare.py, by shape and spread, but for those that others disturbed to the end. `held_to`: what all used of the
    processor, where that was not all of it."""
    name = processor() + held_to
    file = folder / (re.sub(r"[^a-z0-9]+", "-", re.sub(r"\(r\)", "", name.lower())).strip("-") + ".json")
    table = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"processor": name, "rows": {}}
    for row in rows:
        if row["disturbed"]:
            continue
        table["rows"][f"{row['case']}, numbers up to {spread:g}"] = {
            "ms": float(f"{row['ms']:.3g}"),
            "of the limit": round(row["of_the_limit"], 3),
            "times as fast as": {n: round(r, 2) for n, r in row["times_as_fast_as"].items()},
            "peers": peers,
            "runs": row["runs"],
            "date": time.strftime("%Y-%m-%d"),
        }
    table["rows"] = dict(sorted(table["rows"].items()))
    folder.mkdir(exist_ok=True)
    file.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return file


def main():
    for file in sorted(FOLDER.glob("*.json")):
        table = json.loads(file.read_text(encoding="utf-8"))
        peers = sorted({peer for row in table["rows"].values() for peer in row["times as fast as"]}, reverse=True)
        print(f"{table['processor']}\n\n| op and shape | ms | of the limit | " + " | ".join(peers) + " |")
        print("|---|" + "--:|" * (2 + len(peers)))
        for case, row in table["rows"].items():
            ratios = [f"{row['times as fast as'][p]:.2f}×" if p in row["times as fast as"] else "–" for p in peers]
            print(f"| {case} | {row['ms']:g} | {100 * row['of the limit']:.0f} % | " + " | ".join(ratios) + " |")
        print()


if __name__ == "__main__":
    sys.exit(main())
