"""Cues: the words that carry a stance, as data, and the one search for all of them."""
