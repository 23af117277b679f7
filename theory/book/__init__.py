"""The book: entries and rows of verdicts in, one LaTeX or Markdown file with its figures out.

``export`` writes it, ``verdicts`` puts rows into words (for the command line too), ``figures`` finds and draws pictures by name.
"""
