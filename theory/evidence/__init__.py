"""What is known of a claim: a record enters; derivations are run, two routes compared, the printed form held against the derived
one. Rows of typed evidence leave, each with the verdict that it supports, and a reader's formula is answered."""
