internal import Digest
internal import Jobs
internal import Storage

/// A decoded RAW of one frame. It is kept for the next job, which often is the same photo with another look or size.
struct DecodedSource: ~Copyable {
    let source: Source
    /// Of the RAW and its companions, taken before they were read.
    let facts: [FileFacts]
    /// The profiles used for decoding.
    let cameraProfiles: SHA256Value?
    let material: SourceMaterial
    let frame: DecodedFrame
}
