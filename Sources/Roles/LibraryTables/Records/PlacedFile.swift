package import Digest
internal import Jobs
package import Storage

package struct PlacedFile: Hashable, Sendable {
    /// SHA-256 of the bytes put there; nil if they may differ from the rendition's.
    package let digest: SHA256Value?
    /// Nil if unknown, so that only the bytes identify the file.
    package let facts: Facts?

    /// Identifies the file's state.
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

    /// True if the file had no write, rename or change of mode since it was put there.
    package func matches(_ found: FileFacts) -> Bool { facts == Facts(found) }
}

extension PlacedFile.Facts {
    fileprivate init(_ facts: FileFacts) {
        self.init(
            inode: facts.id.inode, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds,
            changedNanoseconds: facts.changedNanoseconds)
    }
}
