"""The outside world, one package for each part of it. No Dagster here."""
