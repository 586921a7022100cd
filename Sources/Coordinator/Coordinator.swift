// Coordinator: see Package.swift.
