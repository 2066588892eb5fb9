"""The collector's benchmark: against other clients, under load, at scale and shared."""
