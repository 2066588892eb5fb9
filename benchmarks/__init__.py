"""Benchmarks: what is promised about speed and cost, measured. No product code lives here."""
