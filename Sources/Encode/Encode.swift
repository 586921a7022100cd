// Encode: see Package.swift.
