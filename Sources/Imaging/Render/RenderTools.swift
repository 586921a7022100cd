internal import Develop
internal import Digest
internal import Encode
public import Jobs
internal import Metadata

/// What a render context is made with, and what needs neither folders nor a job: a process can have it ready before it is
/// told of them.
public struct RenderTools: ~Copyable {
    let toolkit: XMPToolkit
    let encoder: JPEGEncoder
    let previewEncoder: JPEGEncoder

    /// - Throws: `Failure` where this machine cannot render at all.
    public init() throws(Failure) {
        let toolkit = try warm { () throws(XMPError) in try XMPToolkit() }
        let profiles = try warm { () throws(EncodeError) in try ICCProfiles() }
        let encoder = try warm { () throws(EncodeError) in try JPEGEncoder(profiles: profiles) }
        let previewEncoder = try warm { () throws(EncodeError) in try JPEGEncoder(profiles: profiles) }
        self.toolkit = toolkit
        self.encoder = encoder
        self.previewEncoder = previewEncoder
        // The first digest of a process searches its library for the algorithm.
        _ = SHA256Value(of: [])
    }
}

/// What cannot be warmed up leaves nothing to render with.
private func warm<Value: ~Copyable, Problem: Error>(_ make: () throws(Problem) -> Value) throws(Failure) -> Value {
    do throws(Problem) { return try make() } catch {
        throw Failure(.internalError, "This machine cannot render: \(error).")
    }
}
