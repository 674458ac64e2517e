"""Records the noise of an unchanged function and replays it on a neighbouring dataset (docs/programs.md)."""

from .answers import recorded_answer, seeded_output

__all__ = ["recorded_answer", "seeded_output"]
