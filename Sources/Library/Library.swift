// Library: see Package.swift.
