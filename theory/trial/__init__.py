"""A statement on trial by simulation: a record, sizes and a seed enter; steps are drawn by their finite-size definitions, observed.
Samples leave, with limits extrapolated in the size and judgements that are given only where there is power."""
