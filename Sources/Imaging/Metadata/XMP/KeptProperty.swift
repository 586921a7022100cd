/// One property renditions take over, and its form.
struct KeptProperty: Sendable {
    enum Form: Sendable {
        case text, bag, sequence, localised
    }

    let property: InheritedXMP.Property
    let form: Form

    private init(_ space: XMPNamespace, _ name: String, _ form: Form) {
        property = InheritedXMP.Property(space: space, name: name)
        self.form = form
    }

    /// In the order they are written. Names from XMP part 1 and 2, the IPTC Photo Metadata Standard, and, for the
    /// place a geotagging program wrote beside a RAW, Exif in XMP.
    static let all: [KeptProperty] = [
        KeptProperty(.basic, "Rating", .text),
        KeptProperty(.basic, "Label", .text),
        KeptProperty(.dublinCore, "title", .localised),
        KeptProperty(.dublinCore, "description", .localised),
        KeptProperty(.dublinCore, "subject", .bag),
        KeptProperty(.lightroom, "hierarchicalSubject", .bag),
        KeptProperty(.dublinCore, "creator", .sequence),
        KeptProperty(.dublinCore, "rights", .localised),
        KeptProperty(.rights, "Marked", .text),
        KeptProperty(.rights, "WebStatement", .text),
        KeptProperty(.rights, "UsageTerms", .localised),
        KeptProperty(.photoshop, "Headline", .text),
        KeptProperty(.photoshop, "Instructions", .text),
        KeptProperty(.photoshop, "TransmissionReference", .text),
        KeptProperty(.photoshop, "Credit", .text),
        KeptProperty(.photoshop, "Source", .text),
        KeptProperty(.photoshop, "CaptionWriter", .text),
        KeptProperty(.photoshop, "AuthorsPosition", .text),
        KeptProperty(.photoshop, "City", .text),
        KeptProperty(.photoshop, "State", .text),
        KeptProperty(.photoshop, "Country", .text),
        KeptProperty(.iptcCore, "Location", .text),
        KeptProperty(.iptcCore, "CountryCode", .text),
        KeptProperty(.iptcCore, "IntellectualGenre", .text),
        KeptProperty(.iptcCore, "Scene", .bag),
        KeptProperty(.iptcCore, "SubjectCode", .bag),
        KeptProperty(.exif, "GPSLatitude", .text),
        KeptProperty(.exif, "GPSLongitude", .text),
        KeptProperty(.exif, "GPSAltitudeRef", .text),
        KeptProperty(.exif, "GPSAltitude", .text),
    ]
}

/// Between a packet in the library and our value.
extension KeptProperty {
    private static let itemLimit = 1000

    func read(_ packet: borrowing XMPPacket) -> InheritedXMP.Value? {
        let (space, name) = (property.space, property.name)
        switch form {
        case .text:
            return packet.text(space, name).flatMap { $0.isEmpty ? nil : .text($0) }
        case .bag, .sequence:
            let items = packet.list(space, name, limit: Self.itemLimit)?.filter { !$0.isEmpty } ?? []
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
        // What the library refuses, such as a language that is none, is left out: it is not worth the photo.
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
