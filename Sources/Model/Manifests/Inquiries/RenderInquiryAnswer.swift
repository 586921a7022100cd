public import PictureFormat
public import Processes

/// The render program's answer to an inquiry.
public enum RenderInquiryAnswer: Hashable, Sendable {
    /// The libraries that only the render program has.
    case libraries([LoadedLibrary], knowsCamerasAfter2020: Bool)
    /// In LibRaw's order, with LibRaw's version.
    case cameras([KnownCamera], libRaw: String)
    /// Packed camera profiles, as stored in a library.
    case cameraProfiles([UInt8])
    /// Why the inquiry failed, as a part of a sentence. A file that controls the process may have written it.
    case refused(String)
}
