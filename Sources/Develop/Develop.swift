// Develop: see Package.swift.
