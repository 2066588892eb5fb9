"""Assistant platforms: requests, responses and their meaning."""
