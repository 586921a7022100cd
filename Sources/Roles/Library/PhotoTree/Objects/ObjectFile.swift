internal import Digest
internal import Jobs
internal import Manifests
internal import PictureFormat

/// A file of `objects/`, as its name describes it.
struct ObjectFile: Hashable, Sendable {
    let path: RelativePath
    /// The hash in its name: a rendition's key, or an asset.
    let digest: SHA256Value
    let fileExtension: String

    /// Nil unless the file's name is a hash with an extension, and the file is where the layout puts it.
    init?(_ path: RelativePath) {
        let parts = String(decoding: path.name, as: UTF8.self).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let digest = SHA256Value(hex: parts[0]),
            path == LibraryLayout.original(digest, fileExtension: String(parts[1]))
        else { return nil }
        self.path = path
        self.digest = digest
        self.fileExtension = String(parts[1])
    }

    /// The rendition that the file may be; nil for a file that is none.
    var rendition: RenditionKey? {
        PhotoFormat(fileExtension: fileExtension).map { RenditionKey(digest: digest, format: $0) }
    }
}

/// What a file of `objects/` contains.
enum ObjectContent: Sendable {
    case rendition(ObjectRendition)
    case original(OriginalCopy)
    /// Not one of Rawmill's files, or damaged; with a sentence about it.
    case unknown(RelativePath, String)
    /// The process that read its metadata failed, with a clause about that.
    case unread(RelativePath, String)
}

extension ObjectContent {
    /// For people: why a file's metadata is not known.
    static func unreadSentence(_ cause: String) -> String { "its metadata could not be read: \(cause)" }
}

/// A rendition as its file describes it.
struct ObjectRendition: Hashable, Sendable {
    let record: RenditionRecord
    /// The file's time of modification in milliseconds since 1970. It stands in for the time of finishing if no
    /// database knows that.
    let modifiedMilliseconds: Int64
    /// Why the record has no preview, for people.
    let previewProblem: String
}
