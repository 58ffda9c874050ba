package terms
