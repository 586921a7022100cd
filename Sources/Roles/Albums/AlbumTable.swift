internal import Database
public import Digest
internal import Jobs
internal import LibraryTables

/// A photograph in an album: one frame of a RAW, with all its photos.
public struct AlbumMember: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The frame's index within the RAW, from 0.
    public let frame: UInt32

    /// Memberwise initializer.
    public init(asset: SHA256Value, frame: UInt32) {
        self.asset = asset
        self.frame = frame
    }
}

/// The tables `albums` and `album_members`. Positions order members with gaps, so that moving a member changes one row.
struct AlbumTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    // MARK: Albums

    /// The album's number in rows, if it exists.
    func id(of name: String) throws -> Int64? {
        try database.perform { try $0.first("SELECT id FROM albums WHERE name = ?", name) { $0.integer(0) } }
    }

    func insert(_ name: String) throws -> Int64 {
        try database.perform { try $0.insert("INSERT INTO albums (name) VALUES (?)", name) }
    }

    func rename(_ album: Int64, _ name: String) throws {
        try database.perform { _ = try $0.run("UPDATE albums SET name = ? WHERE id = ?", name, album) }
    }

    func remove(_ album: Int64) throws {
        try database.perform { connection in
            _ = try connection.run("DELETE FROM album_members WHERE album = ?", album)
            _ = try connection.run("DELETE FROM albums WHERE id = ?", album)
        }
    }

    /// Names and numbers of photographs, in the order of names.
    func all() throws -> [(name: String, count: Int)] {
        try database.perform { connection in
            try connection.all(
                """
                SELECT name, (SELECT count(*) FROM album_members m WHERE m.album = a.id) FROM albums a ORDER BY name
                """
            ) { (name: $0.text(0), count: Int($0.integer(1))) }
        }
    }

    // MARK: Members

    func members(of album: Int64) throws -> [AlbumMember] {
        try database.perform { connection in
            try connection.all(
                "SELECT \(AssetNumbers.hash()), frame FROM album_members WHERE album = ? ORDER BY position", album
            ) { AlbumMember(asset: try $0.digest(0), frame: $0.frame(1)) }
        }
    }

    func position(of member: AlbumMember, in album: Int64) throws -> Int64? {
        try database.perform { connection in
            try connection.first(
                "SELECT position FROM album_members WHERE album = ? AND asset = ? AND frame = ?", album,
                try database.number(of: member.asset), member.frame
            ) { $0.integer(0) }
        }
    }

    func lastPosition(in album: Int64) throws -> Int64? {
        try database.perform { connection in
            try connection.first(
                "SELECT position FROM album_members WHERE album = ? ORDER BY position DESC LIMIT 1", album
            ) { $0.integer(0) }
        }
    }

    /// The position of the member with this index, from 0; nil past the end.
    func position(at index: Int, in album: Int64) throws -> Int64? {
        try database.perform { connection in
            try connection.first(
                "SELECT position FROM album_members WHERE album = ? ORDER BY position LIMIT 1 OFFSET ?", album, index
            ) { $0.integer(0) }
        }
    }

    func position(before position: Int64, in album: Int64) throws -> Int64? {
        try database.perform { connection in
            try connection.first(
                "SELECT position FROM album_members WHERE album = ? AND position < ? ORDER BY position DESC LIMIT 1",
                album, position
            ) { $0.integer(0) }
        }
    }

    func position(after position: Int64, in album: Int64) throws -> Int64? {
        try database.perform { connection in
            try connection.first(
                "SELECT position FROM album_members WHERE album = ? AND position > ? ORDER BY position LIMIT 1",
                album, position
            ) { $0.integer(0) }
        }
    }

    func index(of position: Int64, in album: Int64) throws -> Int {
        try database.perform { connection in
            try connection.first(
                "SELECT count(*) FROM album_members WHERE album = ? AND position < ?", album, position
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// Adds or moves a member to a free position.
    func put(_ member: AlbumMember, at position: Int64, in album: Int64) throws {
        try database.perform { connection in
            _ = try connection.run(
                """
                INSERT INTO album_members VALUES (?, ?, ?, ?)
                ON CONFLICT (album, asset, frame) DO UPDATE SET position = excluded.position
                """, album, try database.giveNumber(to: member.asset), member.frame, position)
        }
    }

    /// - Returns: false if it was not in the album.
    func remove(_ member: AlbumMember, from album: Int64) throws -> Bool {
        try database.perform { connection in
            try connection.run(
                "DELETE FROM album_members WHERE album = ? AND asset = ? AND frame = ?", album,
                try database.number(of: member.asset), member.frame) > 0
        }
    }

    /// Removes an asset's frames from all albums, except `frames`.
    func remove(_ asset: SHA256Value, except frames: Set<UInt32>) throws {
        let members = try database.perform { connection in
            try connection.all("SELECT album, frame FROM album_members WHERE asset = ?", try database.number(of: asset))
            {
                row in (album: row.integer(0), frame: row.frame(1))
            }
        }
        for member in members where !frames.contains(member.frame) {
            _ = try remove(AlbumMember(asset: asset, frame: member.frame), from: member.album)
        }
    }

    func exists(_ member: AlbumMember) throws -> Bool {
        try database.hasRow(
            "SELECT 1 FROM renditions WHERE asset = ? AND frame = ?", database.number(of: member.asset), member.frame)
    }
}
