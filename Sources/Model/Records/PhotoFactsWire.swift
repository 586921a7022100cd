internal import Manifests
internal import Wire

extension PhotoFacts {
    /// The facts with fields of the record. All others are in the list `facts`.
    private static let fields: Set<String> = ["make", "model", "captured", "degraded", "lens", "rating", "keywords"]
    private static let listed = PhotoFact.all.filter { !fields.contains($0.key) }

    /// - Parameter earlier: the previous frame's facts. Keywords, which are the same for all frames, are written once.
    func write(to rendition: inout Rawmill__V1__Rendition, _ arena: Arena, after earlier: PhotoFacts?) {
        rendition.make = arena.text(make, limit: RecordLimit.name)
        rendition.model = arena.text(model, limit: RecordLimit.name)
        rendition.captured = arena.text(captured ?? "", limit: RecordLimit.name)
        rendition.degraded = arena.text(degraded ?? "", limit: RecordLimit.message)
        rendition.lens = arena.text(lens ?? "", limit: RecordLimit.message)
        rendition.rating = rating.map { UInt32(clamping: $0 + 2) } ?? 0
        if let keywords {
            let isRepeated = earlier?.keywords == keywords
            rendition.keywords_state = isRepeated ? 2 : 1
            if !isRepeated { rendition.keywords = arena.text(keywords.text, limit: Keywords.maxBytes) }
        }
        let lines = Self.listed.compactMap { fact in
            fact.value(in: self).map { arena.text("\(fact.key)=\($0.text)", limit: RecordLimit.name) }
        }
        rendition.facts = arena.array(lines)
        rendition.n_facts = lines.count
    }

    init(wire rendition: Rawmill__V1__Rendition, after earlier: PhotoFacts?) throws(RecordError) {
        self.init(
            make: try rendition.make.text("make"), model: try rendition.model.text("model"),
            captured: try rendition.captured.optionalText("captured"),
            degraded: try rendition.degraded.optionalText("degraded"), lens: try rendition.lens.optionalText("lens"),
            rating: rendition.rating == 0 ? nil : Int(try inRange(rendition.rating, 1...7, "rating")) - 2,
            keywords: try Self.keywords(rendition, after: earlier))
        for line in values(rendition.n_facts, rendition.facts) { try read(line.text("facts")) }
    }

    /// Sets the value of a line of the list. A later version may have more facts.
    private mutating func read(_ line: String) throws(RecordError) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw .malformed("facts: \(line)") }
        guard let fact = Self.listed.first(where: { $0.key == parts[0] }) else { return }
        guard let value = fact.value(parts[1]) else { throw .malformed("facts: \(line)") }
        fact.set(value, in: &self)
    }

    private static func keywords(
        _ rendition: Rawmill__V1__Rendition, after earlier: PhotoFacts?
    ) throws(RecordError) -> Keywords? {
        switch rendition.keywords_state {
        case 1: Keywords(text: try rendition.keywords.text("keywords"))
        case 2: earlier?.keywords
        default: nil
        }
    }
}
