internal import Digest
internal import Jobs
internal import Storage

/// A RAW of one frame that was read and decoded. It is kept for the next job, which often is the same photo with
/// another look or in another size.
struct DecodedSource: ~Copyable {
    /// As its job names it.
    let source: Source
    /// Of the RAW and the files beside it, from before they were read.
    let facts: [FileFacts]
    /// Those with which it was decoded.
    let cameraProfiles: SHA256Value?
    let material: SourceMaterial
    let frame: DecodedFrame
}
