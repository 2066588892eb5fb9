"""Catalog files and their validation."""
