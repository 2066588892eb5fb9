"""The ledger: the one durable record of plans, queries, attempts and answers."""
