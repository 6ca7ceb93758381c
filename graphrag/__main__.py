"""``python -m graphrag``: the same command where the script is not on the path."""

from graphrag.cli.main import main

if __name__ == "__main__":
    main()
