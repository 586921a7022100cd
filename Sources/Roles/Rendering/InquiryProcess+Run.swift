internal import Decode
internal import Encode
internal import Glibc
internal import Manifests
internal import PictureFormat
internal import Processes
internal import Records
public import RenderHost

extension InquiryProcess {
    /// Address space for the program, its libraries, and the largest profiles with their tables.
    private static let addressSpaceBytes: UInt64 = 4 << 30
    private static let maxQuestionBytes = 2 * DecodeLimits.cameraProfileBytes

    /// Receives an inquiry, answers it, and returns the exit status, of sysexits.h. `arguments` follow the subcommand.
    public static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 1, let parent = Int32(arguments[0]) else { return EX_USAGE }
        guard CurrentProcess.endWithParent(parent) else { return EX_OK }
        CurrentProcess.raiseOOMScore()
        var channel = MessageChannel(owning: MessageChannel.inheritedDescriptor)
        guard case .message(let bytes) = channel.receive(milliseconds: -1, limit: maxQuestionBytes),
            let inquiry = try? RenderInquiry(record: bytes, limit: maxQuestionBytes)
        else { return EX_PROTOCOL }
        return channel.send(answer(inquiry).encoded()) ? EX_OK : EX_IOERR
    }

    private static func answer(_ inquiry: RenderInquiry) -> RenderInquiryAnswer {
        do {
            switch inquiry {
            case .libraries:
                return .libraries(loadedLibraries, knowsCamerasAfter2020: RawLibrary.knowsCamerasAfter2020)
            case .cameras: return .cameras(try KnownCamera.all(), libRaw: RawLibrary.version)
            case .cameraProfile(let file):
                try RenderSandbox.enter(addressSpaceBytes: addressSpaceBytes, maxFileBytes: 0)
                return .cameraProfiles(try CameraProfilePack(file).bytes)
            case .cameraProfiles(let files):
                try RenderSandbox.enter(addressSpaceBytes: addressSpaceBytes, maxFileBytes: 0)
                return .cameraProfiles(try CameraProfilePack(folder: files.map { ($0.name, $0.bytes) }).bytes)
            }
        } catch {
            return .refused("\(error)")
        }
    }

    private static var loadedLibraries: [LoadedLibrary] {
        LoadedLibrary.all([
            ("Exempi", nil, "libexempi"), ("Highway", nil, "libhwy"), ("libavif", AVIFLibrary.version, "libavif"),
            ("libjpeg-turbo", nil, "libturbojpeg"), ("libjxl", JXLLibrary.version, "libjxl"),
            ("libjxl's threads", nil, "libjxl_threads"), ("LibRaw", RawLibrary.version, "libraw_r"),
            ("Little CMS", ProfileLibrary.version, "liblcms2"),
        ])
    }
}
