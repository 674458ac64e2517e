"""Records the noise of an unchanged function, and replays it on a neighbouring dataset."""
