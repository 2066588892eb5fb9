"""The doors: what Dagster hands to an asset, made into plain adapter objects.

The only place that names environment variables for Dagster.
"""
