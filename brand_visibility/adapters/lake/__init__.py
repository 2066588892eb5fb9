"""The lake: Parquet files that analysts read. See `schemas` for the datasets."""
