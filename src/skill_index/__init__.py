"""A ranked skill search index with deferred metadata."""
