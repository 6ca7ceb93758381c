"""The benchmarks of this project, one line each: ``python -m tests.benchmarks``."""

from __future__ import annotations

import pkgutil
from pathlib import Path


def main() -> None:
    """Print what each module measures; every one is run as ``python -m tests.benchmarks.NAME``."""
    folder = Path(__file__).parent
    for module in sorted(pkgutil.iter_modules([str(folder)]), key=lambda each: each.name):
        source = (folder / f"{module.name}.py").read_text(encoding="utf-8")
        if module.name != "__main__" and 'if __name__ == "__main__"' in source:
            first = source.split('"""')[1].split("\n")[0]
            print(f"python -m tests.benchmarks.{module.name:15} {first}")


if __name__ == "__main__":
    main()
