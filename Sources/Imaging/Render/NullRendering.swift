internal import Develop
internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Pixels

extension RenderContext {
    /// The way of a photo without its picture: the source is read and hashed, preview and photo are made durable as
    /// ever, with their identity, and neither is more than a few pixels. The source may be any file.
    mutating func renderNothing(
        _ job: Job, _ look: any RowStage, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let material = try clock.measure(.read) { () throws(Failure) in try read(job.source) }
        let work = FrameWork(job: job, frame: 0, isLast: true, look: look, material: material)
        let key = RenditionKey(
            asset: material.asset, frame: 0, recipe: job.recipe.id, engine: Engine.version)
        let picture = Self.greyPicture(job.recipe.colourSpace)
        try begin(work).write(picture.asOneStrip)
        let developed = DevelopedInStrips(
            size: picture.size, preview: Self.greyPicture(job.recipe.colourSpace),
            facts: DevelopFacts(coloursAreGuessed: false, whiteBalance: [1, 1, 1]))
        let draft = RenditionDraft(
            work: work, key: key, metadata: SourceMetadata(make: "Rawmill", model: "null renderer"),
            size: developed.size, degraded: nil)
        let (preview, photo) = try publish(developed, draft, &clock)
        return draft.rendition(photo: photo, preview: preview, copy: nil, timings: clock.timings)
    }

    private static let edge = 8

    private static func greyPicture(_ colourSpace: ColourSpace) -> OutputImage {
        OutputImage(
            luma: grey(edge), cb: grey(edge / 2), cr: grey(edge / 2), subsampling: .quarter, colourSpace: colourSpace)
    }

    private static func grey(_ edge: Int) -> Plane<UInt8> {
        let plane = Plane<UInt8>(width: edge, height: edge)
        plane.samples.initialize(repeating: 128)
        return plane
    }
}
