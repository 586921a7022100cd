internal import Storage

/// Finds the RAWs below folders that have stopped growing.
///
/// A file has settled when two successive checks find the same size and time. Only listings are used, because network
/// file systems do not report changes.
public struct FolderWatch {
    private struct Stamp: Hashable {
        let sizeBytes: UInt64
        let modifiedNanoseconds: Int64

        init(_ facts: FileFacts) {
            sizeBytes = facts.sizeBytes
            modifiedNanoseconds = facts.modifiedNanoseconds
        }
    }

    /// A RAW and its sidecar: later changes of the sidecar, such as stars, are also detected.
    private struct Stamps: Hashable {
        let raw: Stamp
        let sidecar: Stamp?
    }

    private let folders: [[UInt8]]
    private var seen: [[UInt8]: Stamps] = [:]
    private var given: [[UInt8]: Stamps] = [:]

    /// Result of one check.
    public struct Look: Hashable, Sendable {
        /// Absolute paths of RAWs that have settled since the last check, or changed and settled again, or whose
        /// sidecars did.
        public var settled: [[UInt8]] = []
        /// RAWs that may still grow.
        public var growing = 0
        /// Unreadable folders, with the cause.
        public var problems: [String] = []
    }

    /// - Parameter folders: absolute paths.
    public init(_ folders: [[UInt8]]) { self.folders = folders }

    /// Checks the folders. Each settled state is returned once.
    public mutating func look() -> Look {
        var now: [[UInt8]: Stamps] = [:]
        var look = Look()
        for folder in folders {
            do {
                let root = try Root(path: String(decoding: folder, as: UTF8.self))
                try walk([], in: root, folder, &now)
            } catch {
                look.problems.append("\(String(decoding: folder, as: UTF8.self)): \(error.cause)")
                // A file in a folder that is unreadable for a while is the same file afterwards.
                for (path, stamp) in seen where path.starts(with: folder) { now[path] = stamp }
            }
        }
        for (path, stamp) in now where given[path] != stamp {
            guard seen[path] == stamp, stamp.raw.sizeBytes > 0 else {
                look.growing += 1
                continue
            }
            given[path] = stamp
            look.settled.append(path)
        }
        seen = now
        look.settled.sort { $0.lexicographicallyPrecedes($1) }
        return look
    }

    private func walk(
        _ path: [UInt8], in root: Root, _ folder: [UInt8], _ found: inout [[UInt8]: Stamps]
    ) throws(StorageError) {
        var names: [[UInt8]] = []
        func below(_ name: [UInt8]) -> [UInt8] { path.isEmpty ? name : path + [.slash] + name }
        for entry in try root.entries(of: path) where !PassedOver.contains(file: entry.name) {
            switch entry.kind {
            case .folder where PassedOver.contains(folder: entry.name): continue
            case .folder:
                // A folder that vanishes during the walk has no files.
                do throws(StorageError) { try walk(below(entry.name), in: root, folder, &found) } catch
                    where error.kind == .notFound
                {}
            case .file where [.raw, .sidecar].contains(NameKind(name: entry.name)): names.append(entry.name)
            default: continue
            }
        }
        names.sort { $0.lexicographicallyPrecedes($1) }
        let files = Family(names: names)
        for (name, kind) in files.members where kind == .raw {
            guard let raw = try root.factsIfPresent(of: below(name)) else { continue }
            let sidecar = try files.sidecar(of: name).flatMap { index throws(StorageError) in
                try root.factsIfPresent(of: below(files.members[index].name))
            }
            found[folder + [.slash] + below(name)] = Stamps(raw: Stamp(raw), sidecar: sidecar.map { Stamp($0) })
        }
    }
}
