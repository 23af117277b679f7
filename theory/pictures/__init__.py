"""Pictures: an entry's forms and simulated dots in, a file out.

``curves`` draws a statement's forms against one parameter, ``dots`` adds means of finite-size runs; ``canvas``, ``ranges`` and
``files`` are what every picture of a subject (its ``figure``) is made with. What is drawn is handed in, never looked up by key.
"""
