"""One step with eta ~ n^alpha: one spike a degree in the feature matrix, and what they gain. Source: ``moniri2024``."""
