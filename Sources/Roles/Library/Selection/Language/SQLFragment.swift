internal import Database

/// A condition in SQL, and the values of its `?`. Texts of people are only ever values.
///
/// Databases limit how deep expressions are (1,000 in SQLite, a chain of 500 being 500 deep), and how many parentheses and
/// operands are open while they read one (100 in all). So what is nested deepest stands first, where only its parentheses are
/// open, and long chains are cut into pieces.
struct SQLFragment: Hashable, Sendable {
    /// Whole in itself: AND or OR can stand beside it.
    let sql: String
    let values: [DatabaseValue]
    /// Parentheses inside each other.
    private let depth: Int
    /// What of it an index finds; one element or none.
    private let indexed: [SQLFragment]
    /// Conditions at least one of which holds, each with an index of its own; none for one with an index.
    private(set) var alternatives: [SQLFragment] = []
    /// The index that finds the rows that fulfil it; nil if none does, and for what is made of several conditions on several
    /// columns.
    let index: Index?

    /// What an index of `renditions` is by.
    enum Index {
        /// Those of one recipe are in the order of their capture.
        case recipe
        case capture
        case other
    }

    /// - Parameters:
    ///   - sql: without AND and OR outside of parentheses.
    ///   - index: one of `renditions` that finds the rows that fulfil it.
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

    /// A condition on the row of `renditions` alone that all rows with this one fulfil, and that an index serves; nil if there
    /// is none.
    var driving: SQLFragment? { index == nil ? indexed.first : self }

    /// All of them. An index that serves one serves all.
    static func all(_ parts: [SQLFragment]) -> SQLFragment {
        if parts.count == 1 { return parts[0] }
        let driving = parts.compactMap(\.driving)
        // Times from one to another are one condition on the index.
        let index = Set(parts.map(\.index)) == [.capture] ? Index.capture : nil
        return joined(
            parts, "AND", indexed: driving.isEmpty ? nil : joined(driving, "AND", indexed: nil), index: index)
    }

    /// At least one of them. Indexes serve it only if they serve each.
    static func any(_ parts: [SQLFragment]) -> SQLFragment {
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
