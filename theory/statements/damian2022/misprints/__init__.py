"""The misprints of ``damian2022``, each with the check that decides it. Enter: forms as texts. Leave: records, a misprint a file."""
