/// An inquiry to the render program, the only program with the libraries that read and write pictures.
public enum RenderInquiry: Hashable, Sendable {
    case libraries
    case cameras
    /// Pack a camera profile for every photo, from the bytes of its file.
    case cameraProfile([UInt8])
    /// Pack the camera profiles of a folder; each photo uses its camera's.
    case cameraProfiles([NamedFile])

    /// A file's bytes, with its name for messages.
    public struct NamedFile: Hashable, Sendable {
        /// The name, for messages.
        public let name: String
        /// The content.
        public let bytes: [UInt8]

        /// Memberwise initializer.
        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }
}
