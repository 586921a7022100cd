// Looks: see Package.swift.
