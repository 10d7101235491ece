# Made from _async/__init__.py by generate.py; do not edit by hand.
