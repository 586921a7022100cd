internal import Digest
internal import Glibc
internal import Jobs
internal import Manifests
internal import Records
internal import RenderHost
internal import RenderJobs
internal import Storage

final class WorkerConnection {
    private var channel: MessageChannel

    init(_ channel: consuming MessageChannel) { self.channel = channel }

    func send(_ message: [UInt8]) -> Bool { channel.send(message) }

    /// The next message with its descriptors, which the caller owns; nil if the worker is gone.
    func receive() -> (bytes: [UInt8], descriptors: ReceivedDescriptors)? {
        guard case .message(let bytes) = channel.receive(milliseconds: -1, limit: RecordLimit.pipe) else { return nil }
        return (bytes, ReceivedDescriptors(channel.takeDescriptors()))
    }
}

/// Descriptors received with a message, each to be taken once. The rest are closed.
final class ReceivedDescriptors {
    private var rest: ArraySlice<Int32>

    init(_ descriptors: [Int32]) { rest = descriptors[...] }

    deinit { for descriptor in rest { close(descriptor) } }

    /// Nil if none is left, or it is not a regular file.
    func file(_ path: [UInt8] = []) -> OpenFile? {
        rest.popFirst().flatMap { try? OpenFile(owning: $0, path: path) }
    }

    func blankFile() -> BlankFile? { rest.popFirst().map { BlankFile(owning: $0) } }
}

/// The files of one job: its worker opens them and sends the descriptors.
final class ReceivedFiles: RenderFiles {
    let sources: SourceFiles
    /// Receives the camera's own picture; nil if the request does not want one.
    let cameraPicture: BlankFile?
    private let connection: WorkerConnection

    /// Nil if the descriptors do not match the request.
    init?(_ request: RenderRequest, _ descriptors: ReceivedDescriptors, _ connection: WorkerConnection) {
        let source = request.job.source
        func file(_ stamp: FileStamp?) -> OpenFile?? {
            guard let stamp else { return .some(nil) }
            return descriptors.file(stamp.file.path.bytes).map { .some($0) }
        }
        guard let raw = descriptors.file(source.raw.file.path.bytes), let sidecar = file(source.sidecar),
            let companion = file(source.companion)
        else { return nil }
        let table = request.hasLookTable ? descriptors.file() : nil
        let lenses = request.hasLensTable ? descriptors.file() : nil
        let profiles = request.hasCameraProfiles ? descriptors.file() : nil
        cameraPicture = request.cameraPicture == nil ? nil : descriptors.blankFile()
        guard (request.cameraPicture == nil) == (cameraPicture == nil), request.hasLookTable == (table != nil),
            request.hasLensTable == (lenses != nil),
            request.hasCameraProfiles == (profiles != nil)
        else { return nil }
        sources = SourceFiles(
            raw: raw, sidecar: sidecar, companion: companion, lookTable: table, lensTable: lenses,
            cameraProfiles: profiles)
        self.connection = connection
    }

    func frame(_ question: FrameQuestion) throws(Failure) -> FrameFiles {
        let (answer, descriptors) = try ask(.frame(question))
        guard case .frame(let asset, let hasKnownPhoto, let hasKnownPreview) = answer,
            let preview = descriptors.blankFile(), let photo = descriptors.blankFile()
        else { throw Self.noAnswer }
        return FrameFiles(
            asset: asset, preview: preview, photo: photo, knownPhoto: hasKnownPhoto ? descriptors.file() : nil,
            knownPreview: hasKnownPreview ? descriptors.file() : nil)
    }

    func isThere(_ original: FileStamp) throws(Failure) -> Bool {
        guard case .original(let isThere) = try ask(.original(original)).0 else { throw Self.noAnswer }
        return isThere
    }

    private func ask(_ question: RenderMessage) throws(Failure) -> (RenderAnswer, ReceivedDescriptors) {
        guard connection.send(question.encoded()), let (bytes, descriptors) = connection.receive(),
            let answer = try? RenderAnswer(record: bytes)
        else { throw Self.noAnswer }
        if case .failed(let failure) = answer { throw failure }
        return (answer, descriptors)
    }

    /// Not delivered if the worker is gone.
    private static var noAnswer: Failure {
        Failure(.internalError, "The worker did not answer its render process. Check that both have the same version.")
    }
}
