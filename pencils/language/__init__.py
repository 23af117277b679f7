"""What may be written. Text and SymPy expressions enter, with declarations of their matrices; a checked tree leaves, with the
ensembles and their laws, or an error that names what is wrong. Nothing is solved here."""
