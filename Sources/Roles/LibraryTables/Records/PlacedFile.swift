package import Digest
internal import Jobs
package import Storage

/// A file that Rawmill put below `photos/`.
package struct PlacedFile: Hashable, Sendable {
    /// SHA-256 of the bytes that were put there; nil if they may differ from the rendition's.
    package let digest: SHA256Value?
    /// Nil if unknown: then only the bytes identify it.
    package let facts: Facts?

    /// Identifies the file, and changes when the file does.
    package struct Facts: Hashable, Sendable {
        let inode: UInt64
        package let sizeBytes: UInt64
        package let modifiedNanoseconds: Int64
        let changedNanoseconds: Int64
    }

    package init(digest: SHA256Value?, facts: Facts?) {
        self.digest = digest
        self.facts = facts
    }

    package init(digest: SHA256Value, _ facts: FileFacts) {
        self.init(digest: digest, facts: Facts(facts))
    }

    /// Whether this is the file as it was put there, without a write, rename or change of mode since.
    package func matches(_ found: FileFacts) -> Bool { facts == Facts(found) }
}

extension PlacedFile.Facts {
    fileprivate init(_ facts: FileFacts) {
        self.init(
            inode: facts.id.inode, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds,
            changedNanoseconds: facts.changedNanoseconds)
    }
}
