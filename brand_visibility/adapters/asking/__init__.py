"""Asking one platform a file of questions: without a catalog, a ledger or a plan."""
