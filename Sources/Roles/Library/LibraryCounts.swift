internal import Database

/// How much a library holds.
public struct LibraryCounts: Hashable, Sendable {
    /// Photographs: frames of RAWs.
    public let assets: Int
    /// Photos that `photos/` shows.
    public let photos: Int
    /// All renditions, older revisions included.
    public let renditions: Int
    public let degraded: Int
    /// RAWs copied or moved into the library.
    public let copies: Int
    /// Of the renditions and the copies; previews are not counted.
    public let bytes: Int64
}

extension LibraryStore {
    /// Counts by reading the whole tables: a second for a few million renditions.
    public func counts() throws -> LibraryCounts {
        try LibraryError.naming(folder) {
            LibraryCounts(
                assets: Int(try number("SELECT count(*) FROM (SELECT DISTINCT asset, frame FROM renditions)")),
                photos: Int(try number("SELECT count(*) FROM tree WHERE key IS NOT NULL")),
                renditions: Int(try number("SELECT count(*) FROM renditions")),
                degraded: Int(try number("SELECT count(*) FROM renditions WHERE degraded IS NOT NULL")),
                copies: Int(try number("SELECT count(*) FROM copies")),
                bytes: try number("SELECT total(photo_bytes) FROM renditions")
                    + number("SELECT total(bytes) FROM copies"))
        }
    }

    private func number(_ sql: String) throws -> Int64 { try connection.first(sql) { $0.integer(0) } ?? 0 }
}
