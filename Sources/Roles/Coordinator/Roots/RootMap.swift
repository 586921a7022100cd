public import Jobs

/// A folder that files are named relative to.
public struct RegisteredRoot: Hashable, Sendable {
    public let name: RootName
    /// Absolute and real.
    public let path: [UInt8]

    public init(name: RootName, path: [UInt8]) {
        self.name = name
        self.path = path
    }
}

/// The registered roots: no two of one name or one path.
public struct RootMap: Hashable, Sendable {
    private var byPath: [[UInt8]: RootName] = [:]
    private var byName: [RootName: [UInt8]] = [:]

    public init(_ roots: [RegisteredRoot] = []) {
        for root in roots { insert(root) }
    }

    /// Replaces a root of the same name or the same path.
    public mutating func insert(_ root: RegisteredRoot) {
        if let path = byName[root.name] { byPath[path] = nil }
        if let name = byPath[root.path] { byName[name] = nil }
        byPath[root.path] = root.name
        byName[root.name] = root.path
    }

    /// In order of name.
    public var all: [RegisteredRoot] {
        byPath.map { RegisteredRoot(name: $0.value, path: $0.key) }.sorted { $0.name < $1.name }
    }

    public func path(of name: RootName) -> [UInt8]? { byName[name] }

    func root(at path: [UInt8]) -> RootName? { byPath[path] }

    /// The longest root that is the path or contains it.
    func containing(_ path: [UInt8]) -> RegisteredRoot? {
        for place in path.withFoldersAbove {
            if let name = byPath[place] { return RegisteredRoot(name: name, path: place) }
        }
        return nil
    }

    /// A root for the folder: named after it, with -2, -3… where that name is taken.
    mutating func register(_ path: [UInt8]) -> RegisteredRoot {
        let last = path.split(separator: .slash).last.map { String(decoding: $0, as: UTF8.self) } ?? "root"
        let root = RegisteredRoot(name: freeName(near: RootName(sanitizing: last)), path: path)
        insert(root)
        return root
    }

    private func freeName(near wish: RootName) -> RootName {
        var name = wish
        var number = 2
        while name == .library || byName[name] != nil {
            let suffix = "-\(number)"
            name = RootName(sanitizing: wish.text.prefix(64 - suffix.utf8.count) + suffix)
            number += 1
        }
        return name
    }
}
