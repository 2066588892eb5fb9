"""A nightly monitor of how brands show up in the answers of AI assistants.

The rooms of the house are its subpackages; `docs/architecture.md` draws the map.
"""
