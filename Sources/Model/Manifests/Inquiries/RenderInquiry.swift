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
}
