struct InheritedProperty: Sendable {
    enum Form: Sendable {
        case text, bag, sequence, localised
    }

    let property: InheritedXMP.Property
    let form: Form

    private init(_ space: XMPNamespace, _ name: String, _ form: Form) {
        property = InheritedXMP.Property(space: space, name: name)
        self.form = form
    }

    /// In writing order. Names follow XMP parts 1 and 2, the IPTC Photo Metadata Standard, and Exif in XMP, which
    /// geotagging programs use for coordinates in sidecars.
    static let all: [InheritedProperty] = [
        InheritedProperty(.basic, "Rating", .text),
        InheritedProperty(.basic, "Label", .text),
        InheritedProperty(.dublinCore, "title", .localised),
        InheritedProperty(.dublinCore, "description", .localised),
        InheritedProperty(.dublinCore, "subject", .bag),
        InheritedProperty(.lightroom, "hierarchicalSubject", .bag),
        InheritedProperty(.dublinCore, "creator", .sequence),
        InheritedProperty(.dublinCore, "rights", .localised),
        InheritedProperty(.rights, "Marked", .text),
        InheritedProperty(.rights, "WebStatement", .text),
        InheritedProperty(.rights, "UsageTerms", .localised),
        InheritedProperty(.photoshop, "Headline", .text),
        InheritedProperty(.photoshop, "Instructions", .text),
        InheritedProperty(.photoshop, "TransmissionReference", .text),
        InheritedProperty(.photoshop, "Credit", .text),
        InheritedProperty(.photoshop, "Source", .text),
        InheritedProperty(.photoshop, "CaptionWriter", .text),
        InheritedProperty(.photoshop, "AuthorsPosition", .text),
        InheritedProperty(.photoshop, "City", .text),
        InheritedProperty(.photoshop, "State", .text),
        InheritedProperty(.photoshop, "Country", .text),
        InheritedProperty(.iptcCore, "Location", .text),
        InheritedProperty(.iptcCore, "CountryCode", .text),
        InheritedProperty(.iptcCore, "IntellectualGenre", .text),
        InheritedProperty(.iptcCore, "Scene", .bag),
        InheritedProperty(.iptcCore, "SubjectCode", .bag),
        InheritedProperty(.exif, "GPSLatitude", .text),
        InheritedProperty(.exif, "GPSLongitude", .text),
        InheritedProperty(.exif, "GPSAltitudeRef", .text),
        InheritedProperty(.exif, "GPSAltitude", .text),
    ]
}

/// Conversion between the library's packet and `InheritedXMP.Value`.
extension InheritedProperty {
    private static let itemLimit = 1000
    /// Longer list items are skipped, so that the other items are kept.
    private static let itemByteLimit = 4096

    func read(_ packet: borrowing XMPPacket) -> InheritedXMP.Value? {
        let (space, name) = (property.space, property.name)
        switch form {
        case .text:
            return packet.text(space, name).flatMap { $0.isEmpty ? nil : .text($0) }
        case .bag, .sequence:
            let items =
                packet.list(space, name, limit: Self.itemLimit)?.filter {
                    (1...Self.itemByteLimit).contains($0.utf8.count)
                } ?? []
            return items.isEmpty ? nil : .list(items, isOrdered: form == .sequence)
        case .localised:
            var translations: [InheritedXMP.Translation] = []
            for (index, text) in (packet.list(space, name, limit: Self.itemLimit) ?? []).enumerated()
            where !text.isEmpty {
                let language = packet.language(space, name, item: index + 1) ?? "x-default"
                translations.append(InheritedXMP.Translation(language: language, text: text))
            }
            return translations.isEmpty ? nil : .localised(translations)
        }
    }

    func write(_ value: InheritedXMP.Value, to packet: borrowing XMPPacket) {
        let (space, name) = (property.space, property.name)
        // Values that the library refuses, such as invalid languages, are skipped: they must not fail the photo.
        switch value {
        case .text(let text):
            _ = packet.set(space, name, text)
        case .list(let items, let isOrdered):
            for item in items { _ = packet.append(space, name, item, isOrdered: isOrdered) }
        case .localised(let translations):
            for (index, part) in translations.enumerated() {
                _ = packet.appendLocalised(space, name, item: index + 1, language: part.language, part.text)
            }
        }
    }
}
