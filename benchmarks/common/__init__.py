"""What the benchmarks share: measuring, peers' environments, tables and their pages."""
