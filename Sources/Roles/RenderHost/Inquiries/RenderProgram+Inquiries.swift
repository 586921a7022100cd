internal import Clock
internal import Glibc
public import Manifests
public import PictureFormat
public import Processes
internal import Records

/// Why the render program did not answer.
public struct RenderInquiryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence with the remedy.
    public let description: String
}

/// Why the render program refused an inquiry, as a part of a sentence.
public struct RenderInquiryRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Sanitize it before printing to a terminal: a hostile file may control the process that wrote it.
    public let description: String

    /// Creates a refusal with its reason.
    public init(_ description: String) { self.description = description }
}

extension RenderProgram {
    private static let deadline = Duration.seconds(60)
    /// Limit of an answer. Packed profiles are the largest.
    private static let maxAnswerBytes = DecodeLimits.cameraProfileBytes + 32 << 20

    /// The libraries that only the render program loads, and whether its LibRaw reads cameras introduced after 2020.
    public func libraries() throws -> (libraries: [LoadedLibrary], knowsCamerasAfter2020: Bool) {
        guard case .libraries(let libraries, let knows) = try answer(.libraries) else { throw nonsense }
        return (libraries, knows)
    }

    /// The supported cameras, and the version of LibRaw, which reads most of them.
    public func cameras() throws -> (cameras: [KnownCamera], libRaw: String) {
        guard case .cameras(let cameras, let libRaw) = try answer(.cameras) else { throw nonsense }
        return (cameras, libRaw)
    }

    /// Camera profiles, checked and packed for a library.
    ///
    /// - Parameter inquiry: `cameraProfile` or `cameraProfiles`.
    /// - Throws: `RenderInquiryRefusal` for an invalid profile, and for profiles that cannot be packed together;
    ///   `RenderInquiryError` if the program does not answer.
    public func pack(_ inquiry: RenderInquiry) throws -> [UInt8] {
        switch try answer(inquiry) {
        case .cameraProfiles(let bytes): return bytes
        case .refused(let reason): throw RenderInquiryRefusal(reason)
        default: throw nonsense
        }
    }

    private func answer(_ inquiry: RenderInquiry) throws(RenderInquiryError) -> RenderInquiryAnswer {
        var process: HostedProcess
        do throws(HostedProcessError) {
            process = try HostedProcess(program: path, arguments: InquiryProcess.arguments(parent: getpid()))
        } catch {
            throw RenderInquiryError(
                description: "Cannot start the render program: \(error).")
        }
        _ = process.channel.send(inquiry.encoded())
        let milliseconds = Int32(clamping: Self.deadline.wholeMilliseconds)
        switch process.channel.receive(milliseconds: milliseconds, limit: Self.maxAnswerBytes) {
        case .message(let bytes):
            guard let answer = try? RenderInquiryAnswer(record: bytes, limit: Self.maxAnswerBytes) else {
                throw nonsense
            }
            return answer
        case .nothingYet:
            throw RenderInquiryError(description: "\(path) did not answer within \(Self.deadline). Run it again.")
        case .ended:
            let end = process.wait()
            throw RenderInquiryError(description: "\(path) ended without an answer (\(end)).")
        }
    }

    private var nonsense: RenderInquiryError {
        RenderInquiryError(description: "\(path) has a different version. Reinstall Rawmill.")
    }
}
