internal import Decode
internal import Develop
internal import Encode
internal import Jobs
internal import Manifests
internal import Memory
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import Storage

extension RenderContext {
    /// decode ▸ develop with the look, encoding on the way ▸ preview and photo. The preview is published first.
    mutating func render(_ work: FrameWork, _ clock: inout StageClock) throws(Failure) -> Rendition {
        let source = work.job.source
        let metadata = try decodeFailure(source) { () throws(DecodeError) in
            try open().metadata(frame: work.frame)
        }
        let picture = clock.measure(.decode) { cameraPicture(frame: work.frame) }
        let sensor = try clock.measure(.decode) { () throws(Failure) in
            try decodeFailure(source) { () throws(DecodeError) in
                try open().decode(frame: work.frame, xTrans: .mosaic, threads: threads)
            }
        }
        let asset = clock.measure(.decode) { work.material.asset }
        // What is not needed any more makes room for what comes.
        if work.isLast {
            file.trim(toBytes: 0)
            MemoryPool.trim(toBytes: Self.mostKeptBesideSamples)
        }
        let developed = try develop(sensor, work, picture, &clock)
        let key = RenditionKey(
            asset: asset, frame: UInt32(work.frame), recipe: work.job.recipe.id, engine: Engine.version)
        let draft = RenditionDraft(
            work: work, key: key, metadata: metadata, size: developed.size,
            degraded: developed.facts.complaint)
        let (preview, photo) = try publish(developed, draft, &clock)
        let copy = try clock.measure(.write) { () throws(Failure) in try publishOriginal(work) }
        return draft.rendition(photo: photo, preview: preview, copy: copy, timings: clock.timings)
    }

    /// The memory of a compressed file of 24 megapixels waits for the next photo; that of a larger one would stand
    /// beside samples as large, and is better taken anew.
    private static var mostKeptBesideSamples: Int { 44 << 20 }

    /// Develops, and encodes strips of the photo on the way. Consumes the samples, so that their memory is free when it
    /// returns.
    private mutating func develop(
        _ sensor: consuming SensorImage, _ work: FrameWork, _ picture: SmallPicture?, _ clock: inout StageClock
    ) throws(Failure) -> DevelopedInStrips {
        let strips = try begin(work)
        let start = ContinuousClock.now
        defer {
            // Several threads share the encoding as they share the rest.
            let encoding = strips.encodingTime / threads
            clock.add(.encode, encoding)
            clock.add(.develop, ContinuousClock.now - start - encoding)
        }
        do throws(DevelopError) {
            return try developer.develop(
                sensor, settings: DevelopSettings(work.job.recipe, matching: picture, threads: threads),
                look: work.look,
                preview: RenderSettings.previewEdge, into: strips)
        } catch {
            throw Failure.of(error, work.job.source)
        }
    }
}

extension DevelopSettings {
    /// - Parameter picture: the camera's own, whose brightness is the starting point.
    init(_ recipe: Recipe, matching picture: SmallPicture?, threads: Int) {
        self.init(
            exposure: Float(recipe.exposureStops), brightness: picture.map { .matching($0) } ?? .metered,
            whiteBalance: recipe.whiteBalance.map {
                .temperature(kelvin: Float($0.kelvin), tint: Float($0.tint))
            } ?? .asShot,
            longEdge: recipe.longEdgePixels.map(Int.init),
            reducesNoise: recipe.reducesNoise, colourSpace: recipe.colourSpace, subsampling: .quarter, threads: threads)
    }
}
