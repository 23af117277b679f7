"""Chapters: what the register's claims are proved by, a folder a source.

In: forms of ``theory``, as texts. Out: functions of a ``Proof``, run by ``gradstep derive``; nothing in ``theory`` imports
them.
"""
