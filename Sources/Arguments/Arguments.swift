// Arguments: see Package.swift.
