// Render: see Package.swift.
