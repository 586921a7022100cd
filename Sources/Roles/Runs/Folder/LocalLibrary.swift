package import Broker
internal import Catalogue
package import Coordinator
internal import Manifests
package import PhotoTree
package import Storage
package import Telemetry

/// The folder of a local run's ledger, broker and renditions, opened and locked: a library, or the state folder of an
/// export.
package struct LocalLibrary {
    package let folder: String
    package let root: Root
    package let broker: EmbeddedBroker
    package let ledger: Ledger
    /// For the cataloguer; nil for an export.
    package let library: LibraryHandoff?
    private let lock: CoordinatorLock

    /// Opens the folder, and creates a missing one.
    ///
    /// - Parameter storing: writes to the folder before anything else does.
    /// - Throws: `RunError` if another Rawmill works in it or it cannot be written; errors of its parts.
    package static func open(
        _ destination: RunDestination, log: Logger, storing: @escaping @Sendable (Root) throws -> Void
    ) async throws -> LocalLibrary {
        let folder = destination.state
        let root = try destination.writableState()
        // The library may also belong to a cluster, whose coordinator keeps this ledger.
        let lock = try CoordinatorLock(library: folder)
        // Concurrently, because each waits for the disk many times.
        async let ledger = Ledger.open(library: folder, lock: lock.server)
        async let broker = broker(destination)
        async let library = handoff(destination)
        async let isReady: Void = {
            try RunMarker.removeLeftovers(root, log: log)
            try storing(root)
        }()
        do { try await isReady } catch { throw destination.explained(error) }
        return try await LocalLibrary(
            folder: folder, root: root, broker: broker, ledger: ledger, library: library, lock: lock)
    }

    private static func handoff(_ destination: RunDestination) throws -> LibraryHandoff? {
        guard case .library(let folder) = destination else { return nil }
        return try LibraryHandoff(folder: folder)
    }

    private static let brokerFile = "\(LibraryLayout.hidden)/broker.sqlite"

    /// True if local runs have worked in the folder.
    package static func hasBroker(_ folder: String) -> Bool {
        (try? Root(path: folder).factsIfPresent(of: Array(brokerFile.utf8))) != nil
    }

    private static func broker(_ destination: RunDestination) async throws -> EmbeddedBroker {
        do {
            let broker = try await EmbeddedBroker.open(path: "\(destination.state)/\(brokerFile)")
            try await broker.create(Topics.local)
            return broker
        } catch BrokerError.inUse {
            throw RunError(
                "another Rawmill is working in \(destination.subject). Wait until it ends, or give another "
                    + "\(destination.option).")
        }
    }

    private func removeAttempts() throws {
        let folder = Array(LibraryLayout.attempts.utf8)
        guard try root.factsIfPresent(of: folder) != nil else { return }
        for entry in try root.entries(of: folder) { _ = try root.remove(folder + [UInt8(ascii: "/")] + entry.name) }
    }

    /// Closes broker and ledger. Call it after the last use.
    ///
    /// - Parameter isDone: true if no job is open. Removes counts of attempts left by a killed run.
    package func close(isDone: Bool) async throws {
        // Concurrently, because each waits for the disk on its own thread.
        async let ledgerClosed: Void = ledger.close()
        await broker.close()
        await ledgerClosed
        if isDone { try removeAttempts() }
        try RunMarker.remove(root)
    }
}

/// The file that marks a running run. A run that finds it at its start follows a killed run.
enum RunMarker {
    private static let path = Array("\(LibraryLayout.hidden)/running".utf8)

    /// Sets the marker. If it exists, first removes the temporary files of the killed run, which requires reading every
    /// folder.
    static func removeLeftovers(_ root: Root, log: Logger) throws {
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
