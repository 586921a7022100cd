package import Database

/// A condition in SQL, with the values of its `?`. Users' text is always a value.
///
/// Databases limit the depth of expressions (1,000 in SQLite, where a chain of 500 is 500 deep), and the parentheses
/// and operands open during parsing (100). So the deepest part comes first, where only its parentheses are open, and
/// long chains are cut into pieces.
package struct SQLFragment: Hashable, Sendable {
    /// Can be combined with AND or OR without parentheses.
    package let sql: String
    package let values: [DatabaseValue]
    private let depth: Int
    /// The parts that an index serves, if any.
    private let indexed: [SQLFragment]
    /// Conditions of which at least one holds, each with its own index; none if one index serves all.
    private(set) var alternatives: [SQLFragment] = []
    /// The index that finds the rows; nil without one, and for conditions on several columns.
    package let index: Index?

    /// The column of an index of `renditions`.
    package enum Index {
        /// Also orders the photos of one recipe by capture.
        case recipe
        case capture
        case other
    }

    /// - Parameters:
    ///   - sql: without AND and OR outside parentheses.
    ///   - index: the index of `renditions` that finds the rows.
    init(_ sql: String, _ values: [DatabaseValue] = [], index: Index? = nil) {
        self.init(sql, values, depth: 0, indexed: [], index: index)
    }

    private init(_ sql: String, _ values: [DatabaseValue], depth: Int, indexed: [SQLFragment], index: Index?) {
        self.sql = sql
        self.values = values
        self.depth = depth
        self.indexed = indexed
        self.index = index
    }

    static let never = SQLFragment("1 = 0")

    /// A condition on `renditions` alone that an index serves and that all rows meet; nil without one.
    var driving: SQLFragment? { index == nil ? indexed.first : self }

    /// The conjunction. An index that serves one part serves all.
    package static func all(_ parts: [SQLFragment]) -> SQLFragment {
        if parts.count == 1 { return parts[0] }
        let driving = parts.compactMap(\.driving)
        // A range of times is a single condition on the index.
        let index = Set(parts.map(\.index)) == [.capture] ? Index.capture : nil
        return joined(
            parts, "AND", indexed: driving.isEmpty ? nil : joined(driving, "AND", indexed: nil), index: index)
    }

    /// The disjunction. Indexes serve it only if they serve each part.
    package static func any(_ parts: [SQLFragment]) -> SQLFragment {
        if parts.count == 1 { return parts[0] }
        let driving = parts.compactMap(\.driving)
        guard driving.count == parts.count else { return joined(parts, "OR", indexed: nil) }
        var indexed = joined(driving, "OR", indexed: nil)
        indexed.alternatives = driving
        return joined(parts, "OR", indexed: indexed)
    }

    private static let maxChain = 25

    private static func joined(
        _ parts: [SQLFragment], _ word: String, indexed: SQLFragment?, index: Index? = nil
    ) -> SQLFragment {
        if parts.count == 1 { return parts[0] }
        var parts = parts.sorted { $0.depth > $1.depth }
        if parts.count > maxChain {
            parts = stride(from: 0, to: parts.count, by: maxChain).map { start in
                joined(Array(parts[start..<min(start + maxChain, parts.count)]), word, indexed: nil)
            }
        }
        return SQLFragment(
            "(\(parts.map(\.sql).joined(separator: " \(word) ")))", parts.flatMap(\.values),
            depth: 1 + (parts.first?.depth ?? 0), indexed: indexed.map { [$0] } ?? [], index: index)
    }
}
