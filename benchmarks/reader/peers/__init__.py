"""Other ways to find names, each a script that runs in an environment of its own.

They import nothing of this project: a job comes in as JSON, what was found goes out.
"""
