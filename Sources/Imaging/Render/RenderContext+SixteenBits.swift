internal import Develop
internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import RenderJobs
internal import Storage

/// A frame's way to a photo that is made from 16 bits a channel. What the photo says of itself is decided before its first row, so that
/// the file is written from front to back while it is developed.
extension RenderContext {
    /// Plan ▸ develop with the look, encoding and writing on the way ▸ complete.
    mutating func render16(
        _ frame: borrowing DecodedFrame, _ files: FrameFiles, _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let start = ContinuousClock.now
        let lens = LensCorrection(task, frame.metadata, frame.sensor.facts)
        let planned = try plan(frame, lens, task)
        // Once more, for a source that was decoded for another photo, or whose pixels are not square.
        try encodingMemory(task)?.check(
            planned.size, sampleCount: frame.sensor.plane.width * frame.sensor.plane.height)
        let draft = RenditionDraft(
            task: task, files: files, metadata: frame.metadata, size: planned.size, toolkit: toolkit,
            degraded: planned.facts.degradation(frame.cameraPicture.complaint), lens: lens.note(planned.facts),
            lacksProfile: frame.lacksProfile)
        let photo = try publisher.begin16(draft)
        let developed = developer.develop(frame.sensor, planned, into: photo.encoder)
        // Several threads share the encoding as they share the rest.
        let encoding = photo.encoder.encodingTime / task.threads
        clock.add(.encode, encoding)
        clock.add(.develop, ContinuousClock.now - start - encoding)
        return try publish(developed, photo, draft, &clock)
    }

    private mutating func plan(
        _ frame: borrowing DecodedFrame, _ lens: LensCorrection, _ task: FrameTask
    ) throws(Failure) -> PlannedPicture {
        let settings = DevelopSettings(
            task.job.recipe, matching: frame.cameraPicture.picture, lens: lens.corrections,
            threads: task.threads)
        do throws(DevelopError) {
            return try developer.plan16(
                frame.sensor, settings: settings, look: task.look, preview: RenderSettings.previewEdge)
        } catch {
            throw Failure(error, task.file)
        }
    }

    private mutating func publish(
        _ developed: borrowing DevelopedStrips, _ photo: Photo16, _ draft: RenditionDraft, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let (previewSize, byteCount) = try clock.measure(.encode) { () throws(Failure) in
            (try encoder.encodePreview(developed, draft.task), try photo.finish(draft.task.file))
        }
        let published = try clock.measure(.write) { () throws(Failure) in
            try unsafe encoder.withPreview { preview throws(Failure) in
                try unsafe publisher.publish(preview: preview, previewSize: previewSize, photo, byteCount, draft)
            }
        }
        outputs.append(published.output)
        return draft.rendition(photo: published.photo, preview: published.preview, timings: clock.timings)
    }

    /// The null renderer's photo: a few grey pixels, with identity and preview as ever.
    mutating func placeholder16(_ task: FrameTask, _ clock: inout StageClock) throws(Failure) -> Rendition {
        let preview = PlaceholderPicture.grey(task.job.recipe.colourSpace)
        let size = preview.size
        let draft = RenditionDraft(
            task: task, files: try frameFiles(task, &clock),
            metadata: SourceMetadata(make: "Rawmill", model: "null renderer"), size: size, toolkit: toolkit)
        let photo = try publisher.begin16(draft)
        let grey = Plane<UInt16>(width: 3 * size.width, height: size.height)
        unsafe grey.samples.initialize(repeating: 0x8080)
        unsafe photo.encoder.write(
            RGB16Strip(index: 0, of: size, samples: grey.row(0), strideSamples: grey.strideSamples))
        let developed = DevelopedStrips(
            size: size, preview: preview, facts: DevelopFacts(coloursAreGuessed: false, whiteBalance: [1, 1, 1]))
        return try publish(developed, photo, draft, &clock)
    }
}
