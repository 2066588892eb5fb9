"""Other clients at the same work, each a short script run in an environment of its own.

They are called as `python <name>.py BASE_URL QUESTIONS OUT` and import nothing of this
project but `files`. Settings follow each library's documentation; no code is copied.
"""
