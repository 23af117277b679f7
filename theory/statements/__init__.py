"""The register's entries: one file a theorem, in a folder a source where there is more than one.

In: forms as texts of ``theory.*.forms``. Out: ``ENTRIES`` of each module, which ``theory.entries`` finds; no module imports
another.
"""
