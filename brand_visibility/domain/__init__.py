"""What the product decides: catalog, plan, outcomes, retry rules, feasibility.

Everything here is a pure value or a pure function. No I/O, no clock, no Dagster.
"""
