// Telemetry: see Package.swift.
