"""The same expression at finite size, as a witness: no pencil, no equation. A checked expression and numbers enter; means of random
draws with standard errors leave, and eigenvalues."""
