"""A local platform that answers like an assistant and fails on demand."""
