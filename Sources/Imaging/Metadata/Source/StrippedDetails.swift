import TIFF

/// Metadata of the RAW to leave out of a rendition.
public struct StrippedDetails: OptionSet, Hashable, Sendable {
    /// The set's bits.
    public let rawValue: UInt8

    /// The set with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Coordinates and place names.
    public static let location = StrippedDetails(rawValue: 1)
    /// Serial numbers of camera and lens, and numbers that contain them.
    public static let serial = StrippedDetails(rawValue: 2)
    /// The camera owner's name.
    public static let owner = StrippedDetails(rawValue: 4)

    func contains(_ field: ExifField) -> Bool {
        switch (field.directory, field.tag) {
        case (.gps, _): contains(.location)
        case (_, .bodySerialNumber), (_, .lensSerialNumber), (_, .imageUniqueID): contains(.serial)
        case (_, .cameraOwnerName): contains(.owner)
        default: false
        }
    }
}

extension InheritedXMP {
    private static let places: Set<Property> = {
        let names: [(XMPNamespace, [String])] = [
            (.exif, ["GPSLatitude", "GPSLongitude", "GPSAltitudeRef", "GPSAltitude"]),
            (.photoshop, ["City", "State", "Country"]), (.iptcCore, ["Location", "CountryCode"]),
        ]
        return Set(names.flatMap { space, names in names.map { Property(space: space, name: $0) } })
    }()

    /// The properties without these details.
    public func without(_ details: StrippedDetails) -> InheritedXMP {
        guard details.contains(.location) else { return self }
        var result = self
        result.values = values.filter { !Self.places.contains($0.key) }
        return result
    }
}
