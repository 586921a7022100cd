internal import Clock
internal import Glibc
public import Manifests
public import PictureFormat
public import Processes
internal import Records

/// Why the render program gave no answer.
public struct RenderInquiryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For people: a sentence with what to do.
    public let description: String
}

/// What the render program does not do, and why, as a part of a sentence.
public struct RenderInquiryRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// For people, once it is made safe for a terminal: what was asked about may have the process in its power.
    public let description: String

    /// - Parameter description: for people.
    public init(_ description: String) { self.description = description }
}

extension RenderProgram {
    private static let deadline = Duration.seconds(60)
    /// Of an answer. Packed profiles are the largest.
    private static let maxAnswerBytes = DecodeLimits.cameraProfileBytes + 32 << 20

    /// The libraries that only the render program has, and whether its LibRaw reads cameras that came after 2020.
    public func libraries() throws -> (libraries: [LoadedLibrary], knowsCamerasAfter2020: Bool) {
        guard case .libraries(let libraries, let knows) = try answer(.libraries) else { throw nonsense }
        return (libraries, knows)
    }

    /// The cameras whose files are read, and the version of LibRaw, which knows most of them.
    public func cameras() throws -> (cameras: [KnownCamera], libRaw: String) {
        guard case .cameras(let cameras, let libRaw) = try answer(.cameras) else { throw nonsense }
        return (cameras, libRaw)
    }

    /// Camera profiles, checked and packed as a library keeps them.
    ///
    /// - Parameter inquiry: `cameraProfile` or `cameraProfiles`.
    /// - Throws: `RenderInquiryRefusal` for what is no profile, and for profiles that cannot be packed together;
    ///   `RenderInquiryError` where the program cannot say.
    public func pack(_ inquiry: RenderInquiry) throws -> [UInt8] {
        switch try answer(inquiry) {
        case .cameraProfiles(let bytes): return bytes
        case .refused(let reason): throw RenderInquiryRefusal(reason)
        default: throw nonsense
        }
    }

    /// Starts the program and waits for its answer. The thread is blocked meanwhile.
    private func answer(_ inquiry: RenderInquiry) throws(RenderInquiryError) -> RenderInquiryAnswer {
        var process: HostedProcess
        do throws(HostedProcessError) {
            process = try HostedProcess(program: path, arguments: InquiryProcess.arguments(parent: getpid()))
        } catch {
            throw RenderInquiryError(
                description: "The render program cannot be started: \(error).")
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
        RenderInquiryError(description: "\(path) is another version. Install Rawmill again, as a whole.")
    }
}
