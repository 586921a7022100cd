public import PictureFormat
public import Processes

/// What the render program answers to an inquiry.
public enum RenderInquiryAnswer: Hashable, Sendable {
    /// Those that it alone has.
    case libraries([LoadedLibrary], knowsCamerasAfter2020: Bool)
    /// In LibRaw's order, with LibRaw's version.
    case cameras([KnownCamera], libRaw: String)
    /// Packed camera profiles, as a library keeps them.
    case cameraProfiles([UInt8])
    /// Why the inquiry cannot be answered: a part of a sentence. A file that controls the process may have written it.
    case refused(String)
}
