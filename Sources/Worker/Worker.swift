// Worker: see Package.swift.
