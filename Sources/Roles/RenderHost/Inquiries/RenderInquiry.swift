/// A question to the render program that is no job. No other program has the libraries that read and write pictures.
public enum RenderInquiry: Hashable, Sendable {
    /// Which libraries were loaded.
    case libraries
    /// Which cameras' files are read.
    case cameras
    /// To pack a camera profile that counts for every photo: the bytes of its file.
    case cameraProfile([UInt8])
    /// To pack the camera profiles of a folder, of which each photo takes its camera's.
    case cameraProfiles([NamedFile])

    /// The bytes of a file, with its name for messages.
    public struct NamedFile: Hashable, Sendable {
        /// For people.
        public let name: String
        /// All of it.
        public let bytes: [UInt8]

        /// The parameters are the properties of the same names.
        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// The hidden subcommand by which the program answers one question: on descriptor 3 it receives the question, and sends
    /// the answer. Before it looks into foreign bytes it enters the sandbox.
    public static let command = "inquiry-process"

    /// The arguments after the program's name.
    ///
    /// - Parameter parent: the process to end with.
    static func arguments(parent: Int32) -> [String] { [command, "\(parent)"] }

    /// As a message.
    func encoded() -> [UInt8] {
        var fields = FieldWriter()
        switch self {
        case .libraries: fields.number(0)
        case .cameras: fields.number(1)
        case .cameraProfile(let bytes):
            fields.number(2)
            fields.blob(bytes)
        case .cameraProfiles(let files):
            fields.number(3)
            fields.number(files.count)
            for file in files {
                fields.text(file.name)
                fields.blob(file.bytes)
            }
        }
        return fields.bytes
    }

    /// - Throws: where the bytes are no question.
    public init(_ message: [UInt8]) throws(InvalidAnswer) {
        var fields = FieldReader(message)
        switch try fields.number() {
        case 0: self = .libraries
        case 1: self = .cameras
        case 2: self = .cameraProfile(try fields.blob())
        case 3:
            var files: [NamedFile] = []
            for _ in 0..<(try fields.number(UInt32.self)) {
                files.append(NamedFile(name: try fields.text(), bytes: try fields.blob()))
            }
            self = .cameraProfiles(files)
        default: throw InvalidAnswer()
        }
        try fields.end()
    }
}
