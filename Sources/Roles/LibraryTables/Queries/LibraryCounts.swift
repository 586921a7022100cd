internal import Database

/// The size of a library.
public struct LibraryCounts: Hashable, Sendable {
    /// Frames of RAWs.
    public let assets: Int
    /// Photos that `photos/` shows.
    public let photos: Int
    /// All renditions, older revisions included.
    public let renditions: Int
    /// Degraded renditions.
    public let degraded: Int
    /// RAWs that were copied or moved into the library.
    public let copies: Int
    /// Bytes of the renditions and the copies, without previews.
    public let bytes: Int64

    package init(_ database: LibraryDatabase) throws {
        func number(_ sql: String) throws -> Int64 { try database.perform { try $0.first(sql) { $0.integer(0) } ?? 0 } }
        assets = Int(try number("SELECT count(*) FROM (SELECT DISTINCT asset, frame FROM renditions) AS assets"))
        photos = Int(try number("SELECT count(*) FROM tree WHERE key IS NOT NULL"))
        renditions = Int(try number("SELECT count(*) FROM renditions"))
        degraded = Int(try number("SELECT count(*) FROM renditions WHERE degraded IS NOT NULL"))
        copies = Int(try number("SELECT count(*) FROM copies"))
        bytes =
            try number("SELECT sum(photo_bytes) FROM renditions") + number("SELECT sum(bytes) FROM copies")
    }
}
