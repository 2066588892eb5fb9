"""Text to mentions. Pure: the same text and gazetteer give the same reading."""
