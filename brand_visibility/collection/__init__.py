"""The engine that asks: queue, pacing, retries, group commits. No Dagster, no HTTP.

Clock, random numbers, sender and journal are handed in.
"""
