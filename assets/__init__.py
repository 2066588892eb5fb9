"""The graph: what exists, on which partitions, and how it is checked.

An asset's body reads its inputs, calls the house and hands the result on. Rules, formulas
and I/O live in `brand_visibility`.
"""
