internal import Database
internal import Digest
internal import Jobs
internal import LibraryTables

/// Selects the photos of a photo's burst, including itself. A path without a photo selects none.
struct BurstSelector {
    /// The photos of the burst around a path, and the numbers of their assets.
    let members: (RelativePath) throws -> [(path: RelativePath, asset: Int64)]

    func fragment(_ test: SelectionTest) throws -> SQLFragment {
        guard case .compares(_, .text(let text)) = test, let path = RelativePath(text) else { return .never }
        let members = try members(path)
        guard !members.isEmpty else { return .never }
        // Each list is one value of any length.
        let assets = Set(members.map(\.asset)).sorted().map { "\"\($0)\"" }.joined(separator: ",")
        let paths = members.map { "\"\($0.path.bytes.hex.uppercased())\"" }.joined(separator: ",")
        return .all([
            SQLFragment(
                "r.asset IN (SELECT CAST(value AS BIGINT) FROM json_each(?))", [.text("[\(assets)]")], index: .other),
            SQLFragment("hex(t.path) IN (SELECT value FROM json_each(?))", [.text("[\(paths)]")]),
        ])
    }
}
