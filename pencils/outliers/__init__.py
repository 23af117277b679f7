"""What finite-rank terms do to a spectrum. An expression with vectors enters, and the support of its bulk; the determinant that
vanishes at an outlier leaves, the outliers with their overlaps, and the thresholds at which they leave an edge."""
