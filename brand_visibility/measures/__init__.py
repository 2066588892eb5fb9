"""Rates, shares and their intervals. Pure: tables in, tables out."""
