"""Thin bridges from a toolkit to agent frameworks and protocols; each imports its framework when used."""
