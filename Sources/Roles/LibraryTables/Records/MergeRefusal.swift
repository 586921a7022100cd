public import Jobs

/// Why the library refuses a rendition or a copy.
public enum MergeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The manifest names a path other than the layout's.
    case misplacedFile(RelativePath, expected: RelativePath)
    /// The hash of the RAW's copy is not the asset's.
    case copyIsNotTheAsset(RelativePath)
    /// The file is missing from the library's folder.
    case missingFile(RelativePath)
    /// The file's bytes differ from the manifest: a newer file replaced them, and has its own manifest.
    case otherBytes(RelativePath)
    /// The photo was reused from the library's folder, and the library knows it with other bytes.
    case unprovenPhoto(RelativePath)
    /// The photo was reused from the library's folder, which has no record of it: a worker died between the photo and
    /// its manifest.
    case unrecordedPhoto(RelativePath)

    /// All codes.
    public static let codes = [
        "misplaced-file", "copy-is-not-the-asset", "missing-file", "other-bytes", "unproven-photo", "unrecorded-photo",
    ]

    /// The code in results, metrics and logs.
    public var code: String {
        switch self {
        case .misplacedFile: "misplaced-file"
        case .copyIsNotTheAsset: "copy-is-not-the-asset"
        case .missingFile: "missing-file"
        case .otherBytes: "other-bytes"
        case .unprovenPhoto: "unproven-photo"
        case .unrecordedPhoto: "unrecorded-photo"
        }
    }

    /// The cause, as a sentence.
    public var description: String {
        switch self {
        case .misplacedFile(let path, let expected): "the manifest names \(path), but this file belongs at \(expected)"
        case .copyIsNotTheAsset(let path): "the RAW's copy \(path) does not have the asset's hash"
        case .missingFile(let path):
            "\(path) is not in the cataloguer's library. Look whether the worker has the same library mounted."
        case .otherBytes(let path): "\(path) has been replaced by a newer rendering"
        case .unprovenPhoto(let path):
            "\(path) does not have the bytes that the library knows, so it is not taken for the photo of another copy of its RAW."
        case .unrecordedPhoto(let path):
            "\(path) is there, but its record is not, as after a worker that ended before it could report it. "
                + "The photo is rendered again; there is nothing to mend."
        }
    }
}
