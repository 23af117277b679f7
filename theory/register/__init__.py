"""The book as data, read and valued.

Enters: entries as the statements write them (``record``), and values of parameters as a reader gives them (``parameters``).
Leaves: models, points of the theory at which every symbol has an exact or enclosed value (``model``, ``roots``), given or drawn
so that the hypotheses hold (``sampler``); forms in SymPy and their proven digits or truth at a model (``evaluate``); what a
source gives for a value, judged (``reported``). It knows neither proofs of claims nor simulations: these are its readers.
"""
