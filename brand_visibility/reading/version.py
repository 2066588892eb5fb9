"""The version of the reading rules, stored beside every mention.

Raise it with every change that can change what is read from the same answer and the
same brands: stored mentions of two versions must not be compared as if they were one.
"""

READER_VERSION = "2"
