"""Games that were played: their files, replays, proofs and statistics."""
