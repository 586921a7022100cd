/// Something that the walk met, that cannot be converted, and that is not a job. The walk goes on.
public struct WalkProblem: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// A source that does not exist.
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

    /// What is wrong.
    public let kind: Kind
    /// Absolute.
    public let path: [UInt8]
    /// The system's message, or the link's target; may be empty.
    public let cause: String

    /// - Parameters:
    ///   - path: absolute.
    ///   - cause: the system's message, or the link's target.
    public init(_ kind: Kind, _ path: [UInt8], cause: String = "") {
        self.kind = kind
        self.path = path
        self.cause = cause
    }

    /// True if a person has to look for the file or change its permissions. It counts as unreadable in a plan.
    public var isUnreadable: Bool {
        switch kind {
        case .missing, .unreadableFolder, .unreadableFile, .pathTooLong, .special, .insideLibrary, .outsideRoots: true
        case .linkOut, .brokenLink: false
        }
    }

    /// What happened to which file, and what to do.
    public var description: String {
        let name = String(decoding: path, as: UTF8.self)
        return switch kind {
        case .missing: "\(name) is not there. Check the path."
        case .unreadableFolder: "The folder \(name) could not be read (\(cause)). Check its permissions and the disk."
        case .unreadableFile: "\(name) could not be read (\(cause)). Check its permissions and the disk."
        case .linkOut: "\(name) is a link to \(cause), which is elsewhere. Convert that one instead."
        case .brokenLink: "\(name) is a link to nothing. Remove it, or put its target back."
        case .pathTooLong: "\(name) has a path longer than 4,095 bytes. Give a folder further down as the source."
        case .special: "\(name) is neither a file nor a folder. Leave it out."
        case .outsideRoots: "\(name) is in no root of the coordinator. Give it that folder as --root NAME=PATH."
        case .insideLibrary: "\(name) belongs to the library itself. Only its photos folder can be a source."
        }
    }
}
