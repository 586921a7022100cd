/// The orders of a run: one for each part of the sources, and repeated parts with other settings.
struct Orders {
    /// Parts that were ordered.
    private(set) var parts = 0
    /// Orders of parts with other settings.
    private(set) var edits = 0
    /// Additional jobs and photos of bursts due to the edits.
    private(set) var edited = SourceFiles.Part()

    var count: Int { parts + edits }

    /// Options of `rawmill submit` apart from the cluster.
    struct Order {
        let name: String
        let arguments: [String]
    }

    /// The next part; nil if all are ordered.
    mutating func nextPart(_ scenario: Scenario) -> Order? {
        guard parts < SourceFiles.parts else { return nil }
        let order = Order(
            name: "submit-part-\(parts)",
            arguments: ["archive/part-\(parts)"] + (scenario == .duplicates ? ["--originals", "move"] : []))
        parts += 1
        return order
    }

    /// Orders a part again, each time with a new exposure, which its photos must then show. The parts take turns.
    mutating func nextEdit(of sources: SourceFiles) -> Order {
        let part = edits % SourceFiles.parts
        let hundredths = edits / SourceFiles.parts % 990 + 1
        edits += 1
        edited.jobs += sources.parts[part].jobs
        edited.furtherPhotos += sources.parts[part].furtherPhotos
        return Order(
            name: "submit-edit-\(edits)",
            arguments: ["archive/part-\(part)", "--exposure", "\(Double(hundredths) / 100)"])
    }
}
