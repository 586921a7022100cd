public import Jobs

/// A folder that files are named relative to.
public struct RegisteredRoot: Hashable, Sendable {
    /// The root's name in messages.
    public let name: RootName
    /// Absolute and real.
    public let path: [UInt8]

    /// - Parameter path: absolute and real.
    public init(name: RootName, path: [UInt8]) {
        self.name = name
        self.path = path
    }
}

/// The registered roots by name and by path, both unique.
public struct RootMap: Hashable, Sendable {
    private var byPath: [[UInt8]: RootName] = [:]
    private var byName: [RootName: [UInt8]] = [:]

    /// - Parameter roots: a later one replaces an earlier one with the same name or path.
    public init(_ roots: [RegisteredRoot] = []) {
        for root in roots { insert(root) }
    }

    /// Adds a root. Replaces one with the same name or path.
    public mutating func insert(_ root: RegisteredRoot) {
        if let path = byName[root.name] { byPath[path] = nil }
        if let name = byPath[root.path] { byName[name] = nil }
        byPath[root.path] = root.name
        byName[root.name] = root.path
    }

    /// All roots, sorted by name.
    public var all: [RegisteredRoot] {
        byPath.map { RegisteredRoot(name: $0.value, path: $0.key) }.sorted { $0.name < $1.name }
    }

    /// The absolute path of a root; nil for an unknown name.
    public func path(of name: RootName) -> [UInt8]? { byName[name] }

    func root(at path: [UInt8]) -> RootName? { byPath[path] }

    /// The root with the longest path that is the given path or contains it.
    func containing(_ path: [UInt8]) -> RegisteredRoot? {
        for folder in path.withFoldersAbove {
            if let name = byPath[folder] { return RegisteredRoot(name: name, path: folder) }
        }
        return nil
    }

    /// `root/path`, as people read it, for an absolute path below a root; the path itself for any other.
    public func named(_ path: [UInt8]) -> [UInt8] {
        guard let root = containing(path), let below = path.below(root.path) else { return path }
        return Array(root.name.text.utf8) + (below.isEmpty ? [] : [.slash] + below)
    }

    /// Adds a root for a folder, named after the folder, with -2, -3… if the name is taken.
    mutating func register(_ path: [UInt8]) -> RegisteredRoot {
        let last = path.split(separator: .slash).last.map { String(decoding: $0, as: UTF8.self) } ?? "root"
        let root = RegisteredRoot(name: freeName(like: RootName(sanitizing: last)), path: path)
        insert(root)
        return root
    }

    private func freeName(like wanted: RootName) -> RootName {
        var name = wanted
        var number = 2
        while name == .library || byName[name] != nil {
            let suffix = "-\(number)"
            name = RootName(sanitizing: wanted.text.prefix(64 - suffix.utf8.count) + suffix)
            number += 1
        }
        return name
    }
}
