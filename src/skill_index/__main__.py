"""Run the command line as `python -m skill_index`."""

from skill_index.cli import main

main()
