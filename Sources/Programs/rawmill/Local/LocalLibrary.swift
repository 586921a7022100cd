import CommandLineTool
import Broker
import Coordinator
import Jobs
import Library
import Manifests
import Storage
import Telemetry

/// A library's folder, opened for a run: held so that no other Rawmill works in it at the same time.
struct LocalLibrary {
    let folder: String
    let root: Root
    let broker: EmbeddedBroker
    let ledger: Ledger
    /// For the cataloguer.
    let library: LibraryHandoff
    private let lock: CoordinatorLock

    /// Makes the folder where there is none.
    ///
    /// - Parameter storing: writes to the library before anything else does.
    /// - Throws: `CommandFailure` where another Rawmill works in it or it cannot be written; what the parts throw.
    static func open(
        _ folder: String, log: Logger, storing: @escaping @Sendable (Root) throws -> Void
    ) async throws -> LocalLibrary {
        let root = try writableRoot(folder)
        // The library may be a cluster's, too: its coordinator keeps this ledger, and its workers have temporary files.
        let lock = try CoordinatorLock(folder: "\(folder)/\(LibraryLayout.hidden)")
        // Side by side, for each waits for the disk many times.
        async let ledger = Ledger.open(library: folder)
        async let broker = broker(folder)
        async let library = LibraryHandoff(folder: folder)
        async let isReady: Void = {
            try RunMarker.sweepAfterKill(root, log: log)
            try storing(root)
        }()
        try await isReady
        return try await LocalLibrary(
            folder: folder, root: root, broker: broker, ledger: ledger, library: library, lock: lock)
    }

    private static func broker(_ folder: String) async throws -> EmbeddedBroker {
        do {
            let broker = try await EmbeddedBroker.open(path: "\(folder)/\(LibraryLayout.hidden)/broker.sqlite")
            try await broker.create(Topics.onOneMachine)
            return broker
        } catch BrokerError.inUse {
            throw CommandFailure(
                "another Rawmill is at work in the library \(folder). Wait for it to end, or give another --library.")
        }
    }

    private func removeStarts() throws {
        let folder = Array(LibraryLayout.attempts.utf8)
        guard try root.factsIfPresent(of: folder) != nil else { return }
        for entry in try root.entries(of: folder) { _ = try root.remove(folder + [UInt8(ascii: "/")] + entry.name) }
    }

    private static func writableRoot(_ folder: String) throws -> Root {
        do throws(StorageError) {
            let root = try Root(path: folder, creating: true)
            try root.probeWriting(in: Array(LibraryLayout.hidden.utf8))
            return root
        } catch {
            let isFull = error.kind == .diskFull
            let remedy = isFull ? "Free some space" : "Check its permissions and the disk, or give another --library"
            throw CommandFailure(
                "the library \(folder) cannot be written: \(error.cause). \(remedy).",
                status: isFull ? ExitStatus.fault : ExitStatus.usage)
        }
    }

    /// After the last use: broker and ledger are left at rest.
    ///
    /// - Parameter isDone: no job is open. Then the counts of starts that a kill left behind, between a commit and
    ///   their removal, are of no more use.
    func close(isDone: Bool) async throws {
        // Each waits for the disk on a thread of its own.
        async let ledgerClosed: Void = ledger.close()
        await broker.close()
        await ledgerClosed
        if isDone { try removeStarts() }
        try RunMarker.remove(root)
    }
}

/// A file that says a run is on: one that stands at the start was left by a run that was killed.
enum RunMarker {
    private static let path = Array("\(LibraryLayout.hidden)/running".utf8)

    /// A killed run may have left temporary files; looking for them means reading every folder, so only then.
    static func sweepAfterKill(_ root: Root, log: Logger) throws {
        if try root.factsIfPresent(of: path) != nil {
            for name in [LibraryLayout.objects, LibraryLayout.photos, LibraryLayout.hidden] {
                let folder = Array(name.utf8)
                guard try root.factsIfPresent(of: folder) != nil else { continue }
                let removed = try root.sweepTemporaries(below: folder)
                if removed > 0 { log.info(.temporaryRemoved, [.path: "\(name)", .count: LogValue(removed)]) }
            }
        }
        _ = try root.publish([UInt8](), at: path)
    }

    static func remove(_ root: Root) throws { _ = try root.remove(path) }
}
