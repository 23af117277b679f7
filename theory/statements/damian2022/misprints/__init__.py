"""The misprints of ``damian2022``, each with the check that decides it. Forms enter as texts; records leave, one a file."""
