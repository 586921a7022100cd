import Arguments
import CommandLineTool
import Concurrency
import Digest
import Jobs
import LensDatabase
import Lenses
import Manifests
import Storage
import Synchronization

/// The library's lens table, for recipes. A library without one gets this machine's current Lensfun database, and keeps
/// it until `rawmill lenses update`. So orders from all machines use the same corrections, and a newer database makes
/// no photo stale.
final class LensTableSelection: Sendable {
    private enum State {
        case unknown
        case known(SHA256Value?)
    }

    private let isWanted: Bool
    private let state = Mutex(State.unknown)
    private let prepared: BackgroundValue<PackedLensTable?>?
    private let isKept: Bool

    /// Starts making this machine's table if needed, during the other preparations.
    ///
    /// - Parameters:
    ///   - isWanted: false for recipes without lens correction.
    ///   - library: the library's folder; nil for none.
    ///   - isKept: whether to keep a new table of this machine in the user's cache.
    init(isWanted: Bool, library: String?, isKept: Bool) {
        self.isWanted = isWanted
        let known = library.flatMap { try? Root(path: $0) }.flatMap { try? Self.current(in: $0) }
        self.isKept = isKept
        prepared = isWanted && known == nil ? BackgroundValue { LensTableCache.user.table(isKept: isKept) } : nil
    }

    private var machineTable: PackedLensTable? { prepared?.value ?? LensTableCache.user.table(isKept: isKept) }

    /// Finds the library's table, or stores one if it has none.
    func store(in library: Root) throws {
        guard isWanted else { return }
        let digest = try Self.current(in: library) ?? Self.store(machineTable, in: library)
        state.withLock { $0 = .known(digest) }
    }

    /// Continues without a table.
    func renounce() { state.withLock { $0 = .known(nil) } }

    /// The table's digest; nil if there is none. Without a library, or for one without a table, the table that the
    /// library would get.
    ///
    /// - Parameter library: the library's folder; nil for none.
    func digest(library: String?) throws -> SHA256Value? {
        guard isWanted else { return nil }
        if case .known(let digest) = state.withLock({ $0 }) { return digest }
        let root = library.flatMap { try? Root(path: $0) }
        let digest = try root.flatMap { try Self.current(in: $0) } ?? machineTable?.digest
        state.withLock { $0 = .known(digest) }
        return digest
    }

    // MARK: A library's table

    /// The digest of the library's table; nil if it has none.
    static func current(in library: Root) throws(StorageError) -> SHA256Value? {
        let name = Array(LibraryLayout.currentLensTable.utf8)
        do throws(StorageError) {
            let text = String(decoding: try library.contents(of: name, limitBytes: 1024), as: UTF8.self)
            return SHA256Value(hex: String(text.prefix(64)))
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    static func table(in library: Root) throws -> LensTable? {
        guard let digest = try current(in: library) else { return nil }
        let bytes = try library.contents(of: LibraryLayout.lensTable(digest).bytes, limitBytes: 64 << 20)
        do throws(LensTableError) { return try LensTable(bytes: bytes) } catch {
            throw CommandFailure(
                "the library's lens table is damaged: \(error). Run `rawmill lenses update`.")
        }
    }

    /// Stores this machine's database in the library. Returns its digest; nil if this machine has none, and the
    /// library's table stays.
    static func update(_ library: Root) throws -> SHA256Value? {
        try store(LensTableCache.user.renewed(), in: library)
    }

    private static func store(_ table: PackedLensTable?, in library: Root) throws -> SHA256Value? {
        guard let table else { return nil }
        _ = try library.publish(table.bytes, at: LibraryLayout.lensTable(table.digest).bytes)
        try replaceCurrent(by: table.digest, in: library)
        return table.digest
    }

    /// Between both steps there is no table, and an order would store this same one.
    private static func replaceCurrent(by digest: SHA256Value, in library: Root) throws {
        let name = Array(LibraryLayout.currentLensTable.utf8)
        let line = Array("\(digest)\n".utf8)
        _ = try library.remove(name)
        _ = try library.publish(line, at: name)
    }
}

extension LensTableCache {
    /// In the user's cache, with Rawmill's other files.
    static var user: LensTableCache {
        LensTableCache(folder: UserFolder.cache.map { "\($0)/rawmill" }, userData: UserFolder.data)
    }
}
