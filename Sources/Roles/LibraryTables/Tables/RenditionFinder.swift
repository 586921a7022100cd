internal import Database
package import Digest
internal import Jobs
internal import Synchronization

/// Finds renditions by key alone, for links and file names. The tables have no index of keys: keys are random, so each
/// batch of new photos would change most of its pages. The first search reads all keys into memory, 16 bytes for each
/// rendition.
///
/// Stores of one library may share a finder, because rows confirm each match. Thread-safe.
public final class RenditionFinder: Sendable {
    private struct Entry {
        let beginning: UInt64
        let asset: Int64
    }

    private struct State {
        /// Ordered by the beginnings of keys.
        var entries: [Entry] = []
        /// The highest asset number among the entries.
        var last: Int64 = 0
        var readCount = 0
    }

    private let state = Mutex(State())

    /// A finder that has read nothing.
    public init() {}

    /// The numbers of assets that may have a rendition with this digest in its key: mostly one or none.
    package func assets(of digest: SHA256Value) -> [Int64] {
        let beginning = Self.beginning(digest.bytes)
        return state.withLock { state in
            var (low, high) = (0, state.entries.count)
            while low < high {
                let middle = (low + high) / 2
                if state.entries[middle].beginning < beginning { low = middle + 1 } else { high = middle }
            }
            return state.entries[low...].prefix { $0.beginning == beginning }.map(\.asset)
        }
    }

    package var readCount: Int { state.withLock { $0.readCount } }

    /// The keys to read again when one is not found.
    package enum Extent {
        /// Renditions of later assets.
        case new
        /// All renditions, because a known asset may have a new one.
        case all
    }

    /// Reads the keys of renditions. Returns the extent that was read.
    package func read(_ extent: Extent, _ database: LibraryDatabase) throws -> Extent {
        try state.withLock { state in
            let last = extent == .all ? 0 : state.last
            var read = last == 0 ? State(readCount: state.readCount + 1) : state
            try database.perform { connection in
                try connection.each("SELECT key, asset FROM renditions WHERE asset > ?", last) { row in
                    let entry = Entry(beginning: Self.beginning(row.blob(0)), asset: row.integer(1))
                    read.entries.append(entry)
                    read.last = max(read.last, entry.asset)
                }
            }
            if read.last > last { read.entries.sort { $0.beginning < $1.beginning } }
            state = read
            return last == 0 ? .all : .new
        }
    }

    private static func beginning(_ bytes: [UInt8]) -> UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension RenditionTable {
    /// Renditions of any format whose keys have one of the digests. If one is missing, reads all keys again, once for
    /// all digests, unless the library is unchanged.
    package func find(_ digests: Set<SHA256Value>) throws -> Set<RenditionID> {
        let state = try database.perform { try $0.committedState() }
        var found = try confirmed(digests)
        if let state, state == stateOfKeys { return found }
        for extent in [RenditionFinder.Extent.new, .all] {
            let missing = digests.subtracting(found.map(\.key.digest))
            if missing.isEmpty { break }
            let read = try finder.read(extent, database)
            found.formUnion(try confirmed(missing))
            if read == .all {
                stateOfKeys = state
                break
            }
        }
        return found
    }

    private func confirmed(_ digests: Set<SHA256Value>) throws -> Set<RenditionID> {
        let keys = digests.flatMap { digest in
            // A key may have one more byte.
            finder.assets(of: digest).map {
                [DatabaseValue.integer($0), .blob(digest.bytes), .blob(digest.bytes + [0xFF])]
            }
        }
        var found: Set<RenditionID> = []
        try database.perform { connection in
            try connection.each(
                "SELECT \(AssetNumbers.hash()), key FROM renditions WHERE asset = ? AND key >= ? AND key <= ?",
                keys: keys
            ) { row in
                found.insert(RenditionID(asset: try row.digest(0), key: try row.key(1)))
            }
        }
        return found
    }
}
