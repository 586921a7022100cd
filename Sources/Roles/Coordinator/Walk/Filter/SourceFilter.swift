/// Which of the RAWs in the sources a person wants.
public struct SourceFilter: Hashable, Sendable {
    /// Files and folders that are left out.
    public var excluded: [Glob]
    /// The least number of stars, −1 (rejected) to 5; nil takes every file. A file without a rating has none.
    public var minRating: Int?

    /// - Parameters:
    ///   - excluded: files and folders that are left out.
    ///   - minRating: the least number of stars; nil takes every file.
    public init(excluded: [Glob] = [], minRating: Int? = nil) {
        self.excluded = excluded
        self.minRating = minRating
    }

    /// - Parameter path: below the source.
    func excludes(_ path: [UInt8], isFolder: Bool) -> Bool {
        excluded.contains { $0.matches(path, isFolder: isFolder) }
    }
}
