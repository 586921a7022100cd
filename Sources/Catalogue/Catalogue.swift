// Catalogue: see Package.swift.
