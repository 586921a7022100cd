internal import Database
internal import Digest
internal import Jobs

/// Selects the photos of the burst that a photo is in, itself among them. Nothing is in the burst of a path without a photo.
struct BurstSelector {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// - Throws: `LibraryError`.
    func fragment(_ test: SelectionTest) throws -> SQLFragment {
        guard case .compares(_, .text(let text)) = test, let path = RelativePath(text) else { return .never }
        let members = try PhotoQueries(database).burst(of: path)
        guard !members.isEmpty else { return .never }
        // One value each, however many they are.
        let assets = Set(members.map(\.asset)).sorted().map { "\"\($0)\"" }.joined(separator: ",")
        let paths = members.map { "\"\($0.path.bytes.hex.uppercased())\"" }.joined(separator: ",")
        return .all([
            SQLFragment(
                "r.asset IN (SELECT CAST(value AS BIGINT) FROM json_each(?))", [.text("[\(assets)]")], index: .other),
            SQLFragment("hex(t.path) IN (SELECT value FROM json_each(?))", [.text("[\(paths)]")]),
        ])
    }
}
