"""The former name of ``ltw_core.studies``: ``python -m ltw_core.experiments`` still works."""
