"""Letters, identities, checked steps: how a formula is read and proved. Knows no entry of the register.

Enters: texts of formulas and values of parameters as they are typed, SymPy expressions, the letters a source brings of its own.
Leaves: symbols with their domains and LaTeX (``symbols``, ``table``, ``domains``, ``inputs``), random exact points (``points``),
decisions whether two expressions are one function, with a witness where they are not (``identity``), normal forms of Gaussian
expectations (``stein``, ``means``), derivations whose every step was checked (``steps``), sentences as LaTeX (``prose``).
"""
