// Decode: see Package.swift.
