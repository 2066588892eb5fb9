"""The import lane: files of captured answers in, rows of the lake out."""
