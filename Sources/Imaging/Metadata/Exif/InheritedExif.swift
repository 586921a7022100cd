internal import TIFF

/// The fields of a RAW that its rendition keeps by `ExifRules`, each once, with correct directory and type.
struct InheritedExif {
    private var values: [Key: ExifField] = [:]

    private struct Key: Hashable {
        let directory: ExifDirectory
        let tag: TIFFTag
    }

    /// - Parameter fields: all of the RAW's. The first usable value of a field counts: LibRaw reads the main directory
    ///   before those of previews.
    init(_ fields: [ExifField]) {
        for field in fields {
            guard let rule = Self.rule(for: field), self[rule.directory, rule.tag] == nil else { continue }
            self[rule.directory, rule.tag] = rule.apply(field)
        }
        for (tag, rule) in ExifRules.aliases where self[rule.directory, rule.tag] == nil {
            let alias = fields.first { $0.tag == tag && $0.directory == .image }
            self[rule.directory, rule.tag] = alias.flatMap(rule.apply)
        }
        dropUnpairedCoordinates()
        if values.keys.contains(where: { $0.directory == .gps }) {
            let version = ExifField(directory: .gps, tag: .gpsVersionID, type: .byte, value: [2, 3, 0, 0])
            self[.gps, .gpsVersionID] = version
        }
    }

    subscript(directory: ExifDirectory, tag: TIFFTag) -> ExifField? {
        get { values[Key(directory: directory, tag: tag)] }
        set { values[Key(directory: directory, tag: tag)] = newValue }
    }

    /// Adds a text field unless it is blank.
    mutating func add(_ directory: ExifDirectory, _ tag: TIFFTag, text: String) {
        guard let clean = ExifText.trimmed(text) else { return }
        self[directory, tag] = .text(directory, tag, clean)
    }

    /// Sorted by directory and tag.
    var fields: [ExifField] {
        values.values.sorted { ($0.directory.rawValue, $0.tag) < ($1.directory.rawValue, $1.tag) }
    }

    /// The rule for a field, by its tag alone: cameras put Exif fields into the main directory and vice versa
    /// (TIFF/EP).
    private static func rule(for field: ExifField) -> ExifRule? {
        switch field.directory {
        case .image, .photo: mainRules[field.tag]
        case .gps: gpsRules[field.tag]
        case .interoperability: nil
        }
    }

    private static let mainRules = index(ExifRules.image + ExifRules.photo)
    private static let gpsRules = index(ExifRules.gps)

    private static func index(_ rules: [ExifRule]) -> [TIFFTag: ExifRule] {
        Dictionary(rules.map { ($0.tag, $0) }) { first, _ in first }
    }

    private mutating func dropUnpairedCoordinates() {
        for (reference, value) in ExifRules.inseparable where self[.gps, reference] == nil || self[.gps, value] == nil {
            self[.gps, reference] = nil
            self[.gps, value] = nil
        }
    }
}
