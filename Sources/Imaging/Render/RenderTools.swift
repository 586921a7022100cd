internal import Develop
internal import Digest
internal import Encode
public import Jobs
internal import Manifests
internal import Metadata

/// The parts of a render context that depend neither on folders nor on a job, so that a process can prepare them early.
public struct RenderTools: ~Copyable {
    let toolkit: XMPToolkit
    let profiles: ICCProfiles

    /// Starts the XMP toolkit and builds the ICC profiles.
    ///
    /// - Throws: `Failure` if this machine cannot render.
    public init() throws(Failure) {
        let toolkit = try warm { () throws(XMPError) in try XMPToolkit() }
        let profiles = try warm { () throws(EncodeError) in try ICCProfiles() }
        self.toolkit = toolkit
        self.profiles = profiles
        // The first digest of a process makes OpenSSL look up the algorithm.
        _ = SHA256Value(of: [])
    }
}

private func warm<Value: ~Copyable, Problem: Error>(_ make: () throws(Problem) -> Value) throws(Failure) -> Value {
    do throws(Problem) { return try make() } catch {
        throw Failure(.internalError, "This machine cannot render: \(error).")
    }
}
