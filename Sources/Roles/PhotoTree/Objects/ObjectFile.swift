package import Digest
package import Jobs
package import LibraryTables
internal import Manifests
internal import PictureFormat

/// A file of `objects/` according to its name.
package struct ObjectFile: Hashable, Sendable {
    package let path: RelativePath
    /// The hash in its name: a rendition's key, or an asset.
    package let digest: SHA256Value
    package let fileExtension: String

    /// Nil unless the file's name is a hash with an extension and its folder is the one of the layout.
    package init?(_ path: RelativePath) {
        let parts = String(decoding: path.name, as: UTF8.self).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let digest = SHA256Value(hex: parts[0]),
            path == LibraryLayout.original(digest, fileExtension: String(parts[1]))
        else { return nil }
        self.path = path
        self.digest = digest
        self.fileExtension = String(parts[1])
    }

    /// The rendition that the file may be; nil for other files.
    package var rendition: RenditionKey? {
        PhotoFormat(fileExtension: fileExtension).map { RenditionKey(digest: digest, format: $0) }
    }
}

package enum ObjectContent: Sendable {
    case rendition(ObjectRendition)
    case original(OriginalCopy)
    /// Foreign or damaged; with a sentence that states why.
    case unknown(RelativePath, String)
    /// The process that reads metadata failed on it; with a clause that states why.
    case unread(RelativePath, String)
}

extension ObjectContent {
    package static func unreadSentence(_ cause: String) -> String { "its metadata could not be read: \(cause)" }
}

package struct ObjectRendition: Hashable, Sendable {
    package let record: RenditionRecord
    /// The file's time of modification in milliseconds since 1970, which replaces the precedence if no database has
    /// one.
    package let modifiedMilliseconds: Int64
    /// Why the record has no preview, as a sentence.
    package let previewProblem: String
}
