"""Experiments: studies (cells, their store, runner and tables), background jobs, and the examples that ship."""
