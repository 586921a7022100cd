public import Jobs

/// The history of one file below `photos/`: the renditions that it showed, numbered from 1 in the order in which they were
/// asked for or chosen, and which of them it shows now.
///
/// Nothing is ever taken out of it: an edit of an earlier revision is a revision of its own, whose parent is that one.
public struct PhotoHistory: Hashable, Sendable {
    /// One revision.
    public struct Revision: Hashable, Sendable {
        /// From 1.
        public let number: Int
        /// The rendition. Two revisions may have the same one.
        public let key: RenditionKey
        /// The revision that was shown when this one was made; nil for the first.
        public let parent: Int?

        /// Takes the parts as they are.
        public init(number: Int, key: RenditionKey, parent: Int?) {
            self.number = number
            self.key = key
            self.parent = parent
        }
    }

    /// In the order of numbers.
    public private(set) var revisions: [Revision]
    /// The number of the revision that is shown.
    public private(set) var current: Int

    /// Nil unless there is a revision of the current number.
    ///
    /// - Parameter revisions: in the order of numbers.
    public init?(revisions: [Revision], current: Int) {
        guard revisions.contains(where: { $0.number == current }) else { return nil }
        self.revisions = revisions
        self.current = current
    }

    /// The revision of a number.
    public subscript(number: Int) -> Revision? { revisions.first { $0.number == number } }

    /// How a person names the revision to show.
    public enum Move: Hashable, Sendable {
        /// The one that the current revision was made from.
        case undo
        /// The latest one that was made from the current revision.
        case redo
        /// The first one.
        case original
        /// The one of a number.
        case to(Int)
    }

    /// The revision that a move leads to; nil if there is none.
    public func target(of move: Move) -> Revision? {
        switch move {
        case .undo: self[current]?.parent.flatMap { self[$0] }
        case .redo: revisions.last { $0.parent == current }
        case .original: revisions.first
        case .to(let number): self[number]
        }
    }

    /// Adds a revision after the last one and makes it the current one.
    mutating func append(_ key: RenditionKey) -> Revision {
        let revision = Revision(number: (revisions.last?.number ?? 0) + 1, key: key, parent: current)
        revisions.append(revision)
        current = revision.number
        return revision
    }

    /// Makes the latest revision with a rendition the current one; adds it if there is none.
    mutating func show(key: RenditionKey) {
        if let known = revisions.last(where: { $0.key == key }) { show(known) } else { _ = append(key) }
    }

    /// Makes a revision the current one.
    mutating func show(_ revision: Revision) { current = revision.number }
}

extension PhotoHistory {
    /// The history of a file as its rows have it, and renditions that came otherwise.
    ///
    /// - Parameters:
    ///   - stored: revisions that are stored, in the order of numbers.
    ///   - chosen: the number of the one that was chosen last; nil if none was.
    ///   - ordered: renditions of the file's variant that were asked for, the oldest first. Those that are not stored follow
    ///     the stored ones, each made from the one before.
    ///   - shown: the rendition that the file shows.
    init?(stored: [Revision], chosen: Int?, ordered: [RenditionKey], shown: RenditionKey) {
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
