"""The command line: words in; text, JSON, a file and an exit status out. Nothing heavy is imported before a command needs it.

``main`` has the group and its errors, ``read``, ``judge``, ``write``, ``trace`` and ``spectrum`` the commands, ``options`` and
``matrices`` what they share, ``show`` the text that they print.
"""
