internal import Database
internal import Digest
internal import Jobs
internal import Synchronization

/// Finds renditions of which only the key is known, as a link or a file's name tells it. The tables have no index of keys alone:
/// keys are in no order, so that each batch of new photos would change most pages of it. What is needed of it is read into memory
/// when it is asked for the first time: 16 bytes a rendition.
///
/// Several stores of one library may share it: what it says is confirmed by the rows. Thread-safe.
public final class RenditionFinder: Sendable {
    private struct Entry {
        /// The first bytes of the key.
        let beginning: UInt64
        /// The asset's number.
        let asset: Int64
    }

    private struct State {
        /// In the order of beginnings.
        var entries: [Entry] = []
        /// The highest number of an asset among them.
        var last: Int64 = 0
        /// How often all keys were read.
        var readCount = 0
    }

    private let state = Mutex(State())

    /// Knows nothing yet.
    public init() {}

    /// The numbers of assets that seem to have a rendition whose key has the digest: mostly one or none.
    func assets(of digest: SHA256Value) -> [Int64] {
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

    /// How often all keys were read.
    var readCount: Int { state.withLock { $0.readCount } }

    /// What is read again where a key was not found.
    enum Extent {
        /// Renditions of assets that came since.
        case new
        /// All of them: one may have been made of an asset that was there.
        case all
    }

    /// Reads the keys of renditions.
    ///
    /// - Returns: what was read.
    /// - Throws: `LibraryError`.
    func read(_ extent: Extent, _ database: LibraryDatabase) throws -> Extent {
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
    /// The renditions of any format whose keys have one of the digests. Where one is not found, all keys are read again, once for
    /// all of the digests, unless nothing was written to the library since.
    func find(_ digests: Set<SHA256Value>) throws -> Set<RenditionID> {
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
            // A key may have a byte more.
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
