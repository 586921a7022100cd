// Samples: see Package.swift.
