/// Something that the walk could not convert, and that is not a job. The walk continues.
public struct WalkProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kind of a problem.
    public enum Kind: Hashable, Sendable {
        case missing
        case unreadableFolder
        /// Not even the file's size could be read.
        case unreadableFile
        /// A link that points outside the root.
        case linkOut
        case brokenLink
        case pathTooLong
        /// A source that is neither a file nor a folder.
        case special
        /// A source in the library that is not among its photos.
        case insideLibrary
        /// A source whose real path is outside all roots, where the roots are fixed.
        case outsideRoots
    }

    /// The kind of the problem.
    public let kind: Kind
    /// Absolute.
    public let path: [UInt8]
    /// The system's message, or the link's target; may be empty.
    public let cause: String

    /// Creates a problem of an absolute path.
    public init(_ kind: Kind, _ path: [UInt8], cause: String = "") {
        self.kind = kind
        self.path = path
        self.cause = cause
    }

    /// Whether a user has to look for the file or change its permissions. It counts as unreadable in a plan.
    public var isUnreadable: Bool {
        switch kind {
        case .missing, .unreadableFolder, .unreadableFile, .pathTooLong, .special, .insideLibrary, .outsideRoots: true
        case .linkOut, .brokenLink: false
        }
    }

    /// The problem with its remedy.
    public var description: String {
        let name = String(decoding: path, as: UTF8.self)
        return switch kind {
        case .missing: "\(name) does not exist. Check the path."
        case .unreadableFolder: "The folder \(name) cannot be read (\(cause)). Check its permissions and the disk."
        case .unreadableFile: "\(name) cannot be read (\(cause)). Check its permissions and the disk."
        case .linkOut: "\(name) is a link to \(cause), outside its root. Convert that one instead."
        case .brokenLink: "\(name) is a broken link. Remove it, or restore its target."
        case .pathTooLong: "\(name) has a path longer than 4,095 bytes. Use a folder further down as the source."
        case .special: "\(name) is neither a file nor a folder. Leave it out."
        case .outsideRoots: "\(name) is outside all roots of the coordinator. Add that folder: --root NAME=PATH."
        case .insideLibrary: "\(name) belongs to the library. Only the library's photos folder can be a source."
        }
    }
}
