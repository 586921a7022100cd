/// Selects the wanted RAWs of the sources.
public struct SourceFilter: Hashable, Sendable {
    /// Files and folders to leave out.
    public var excluded: [Glob]
    /// Minimum number of stars, −1 (rejected) to 5; nil selects every file. A file without a rating has 0.
    public var minRating: Int?

    /// Creates a filter, by default one that selects every file.
    public init(excluded: [Glob] = [], minRating: Int? = nil) {
        self.excluded = excluded
        self.minRating = minRating
    }

    func excludes(_ path: [UInt8], isFolder: Bool) -> Bool {
        excluded.contains { $0.matches(path, isFolder: isFolder) }
    }
}
