"""Weightings as pages want them: learned ones in canonical form, and any of them on a document's words."""
