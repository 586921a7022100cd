public import Jobs

/// The history of one file in `photos/`: the renditions it showed, numbered from 1, and the present one. Nothing is
/// removed: an edit of an earlier revision is a new revision with that parent.
public struct PhotoHistory: Hashable, Sendable {
    /// One revision.
    public struct Revision: Hashable, Sendable {
        /// The number, from 1.
        public let number: Int
        /// The rendition. Several revisions may share one.
        public let key: RenditionKey
        /// The revision that this one was made from; nil for the first.
        public let parent: Int?

        /// Memberwise initializer.
        public init(number: Int, key: RenditionKey, parent: Int?) {
            self.number = number
            self.key = key
            self.parent = parent
        }
    }

    /// All revisions, ordered by number.
    public private(set) var revisions: [Revision]
    /// The number of the shown revision.
    public private(set) var current: Int

    /// Nil unless a revision has the current number.
    ///
    /// - Parameter revisions: ordered by number.
    public init?(revisions: [Revision], current: Int) {
        guard revisions.contains(where: { $0.number == current }) else { return nil }
        self.revisions = revisions
        self.current = current
    }

    /// The revision with a number.
    public subscript(number: Int) -> Revision? { revisions.first { $0.number == number } }

    /// How a user names a revision.
    public enum Move: Hashable, Sendable {
        /// The parent of the current revision.
        case undo
        /// The latest revision made from the current one.
        case redo
        /// The first one.
        case original
        /// The one with a number.
        case to(Int)
    }

    /// The target of a move; nil if there is none.
    public func target(of move: Move) -> Revision? {
        switch move {
        case .undo: self[current]?.parent.flatMap { self[$0] }
        case .redo: revisions.last { $0.parent == current }
        case .original: revisions.first
        case .to(let number): self[number]
        }
    }

    package mutating func append(_ key: RenditionKey) -> Revision {
        let revision = Revision(number: (revisions.last?.number ?? 0) + 1, key: key, parent: current)
        revisions.append(revision)
        current = revision.number
        return revision
    }

    /// Makes the latest revision with a rendition the current one; adds one if there is none.
    package mutating func show(key: RenditionKey) {
        if let known = revisions.last(where: { $0.key == key }) { show(known) } else { _ = append(key) }
    }

    package mutating func show(_ revision: Revision) { current = revision.number }
}

extension PhotoHistory {
    /// The history from stored revisions and later orders.
    ///
    /// - Parameters:
    ///   - stored: ordered by number.
    ///   - chosen: the number chosen last, if any.
    ///   - ordered: ordered renditions of the file's variant, the oldest first. New ones follow the stored ones, each
    ///     made from the one before.
    ///   - shown: the rendition that the file shows.
    package init?(stored: [Revision], chosen: Int?, ordered: [RenditionKey], shown: RenditionKey) {
        var revisions = stored
        var parent = chosen ?? stored.last?.number
        for key in ordered where !stored.contains(where: { $0.key == key }) {
            let number = (revisions.last?.number ?? 0) + 1
            revisions.append(Revision(number: number, key: key, parent: parent))
            parent = number
        }
        let current =
            revisions.first { $0.number == chosen && $0.key == shown } ?? revisions.last { $0.key == shown }
        guard let current else { return nil }
        self.init(revisions: revisions, current: current.number)
    }
}
