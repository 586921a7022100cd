/// The RAW's tags by the rules of `ExifRules`: each at its right place, of the right type, and once.
struct KeptTags {
    private var values: [Place: ExifTag] = [:]

    private struct Place: Hashable {
        let directory: ExifDirectory
        let number: UInt16
    }

    /// The first usable value wins: LibRaw meets the main directory before those of previews.
    init(_ tags: [ExifTag]) {
        for tag in tags {
            guard let rule = Self.rule(for: tag), self[rule.directory, rule.number] == nil,
                let made = rule.apply(tag)
            else { continue }
            self[rule.directory, rule.number] = made
        }
        for (number, rule) in ExifRules.aliases where self[rule.directory, rule.number] == nil {
            let alias = tags.first { $0.number == number && $0.directory == .image }
            self[rule.directory, rule.number] = alias.flatMap(rule.apply)
        }
        dropHalvesOfPlaces()
        if values.keys.contains(where: { $0.directory == .gps }) {
            self[.gps, 0x00] = ExifTag(directory: .gps, number: 0, type: .byte, value: [2, 3, 0, 0])
        }
    }

    subscript(directory: ExifDirectory, number: UInt16) -> ExifTag? {
        get { values[Place(directory: directory, number: number)] }
        set { values[Place(directory: directory, number: number)] = newValue }
    }

    /// Nothing is added for a blank text.
    mutating func add(_ directory: ExifDirectory, _ number: UInt16, text: String) {
        guard let clean = ExifText.trimmed(text) else { return }
        self[directory, number] = .text(directory, number, clean)
    }

    /// Sorted by directory and number.
    var tags: [ExifTag] {
        values.values.sorted { ($0.directory.rawValue, $0.number) < ($1.directory.rawValue, $1.number) }
    }

    /// Cameras put Exif tags into the main directory and the other way round (TIFF/EP): the number decides.
    private static func rule(for tag: ExifTag) -> ExifRule? {
        switch tag.directory {
        case .image, .photo: mainRules[tag.number]
        case .gps: gpsRules[tag.number]
        case .interoperability: nil
        }
    }

    private static let mainRules = index(ExifRules.image + ExifRules.photo)
    private static let gpsRules = index(ExifRules.gps)

    private static func index(_ rules: [ExifRule]) -> [UInt16: ExifRule] {
        Dictionary(rules.map { ($0.number, $0) }) { first, _ in first }
    }

    private mutating func dropHalvesOfPlaces() {
        for (reference, value) in ExifRules.inseparable where self[.gps, reference] == nil || self[.gps, value] == nil {
            self[.gps, reference] = nil
            self[.gps, value] = nil
        }
    }
}
