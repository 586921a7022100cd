package import Jobs

/// The sources of an order, split into parts that each fit into a record: a list may name a million files.
package struct SourceParts {
    /// Sources in the order itself; all of them if they are few.
    package private(set) var inline: [ConversionOrder.Location] = []
    package private(set) var parts: [[ConversionOrder.Location]] = []

    /// Far below a record's limit, because an order also has other fields and headers.
    private static let maxPartBytes = 32 << 10

    package init(_ sources: [ConversionOrder.Location]) {
        var part: [ConversionOrder.Location] = []
        var bytes = 0
        for source in sources {
            let size = source.root.text.utf8.count + (source.path?.bytes.count ?? 0) + 12
            if bytes + size > Self.maxPartBytes, !part.isEmpty {
                parts.append(part)
                (part, bytes) = ([], 0)
            }
            part.append(source)
            bytes += size
        }
        if parts.isEmpty { inline = part } else { parts.append(part) }
    }

    package func controls(for batch: BatchID) -> [Control] {
        parts.enumerated().map { .sources(SourcePart(batch: batch, number: UInt32($0.offset), sources: $0.element)) }
    }
}
