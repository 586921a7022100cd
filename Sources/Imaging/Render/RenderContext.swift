internal import Decode
internal import Develop
internal import Encode
public import Jobs
public import Manifests
internal import Memory
internal import Metadata
internal import PictureFormat
internal import Pixels
public import RenderJobs
public import Storage

/// Renders jobs, from the RAW to the files of the library. It keeps reusable state between photos: look tables, ICC
/// profiles, tables of the develop engine, memory for files.
///
/// One context serves one job at a time. Its output depends only on the job's inputs: not on earlier jobs, the clock,
/// the machine or the number of threads. State that a photo could change is therefore not reused: a handle of a C
/// library lives for one file or picture, and after a failure all state is made anew. The samples of the last photo are
/// kept for its other looks and sizes; they do not change after decoding.
public struct RenderContext: ~Copyable {
    private let settings: RenderSettings
    private var looks: LookCache
    private var lenses = LensCache()
    private var cameraProfiles = CameraProfileCache()
    var source: SourceReader
    /// The last job's decoded source; nil after a failure.
    private var last: DecodedSource?
    private var developer = DevelopContext()
    private var encoder: RenditionEncoder
    private let publisher: RenditionPublisher
    private let toolkit: XMPToolkit
    let profiles: ICCProfiles
    /// Written files of the job's frames that were not reported yet.
    private var outputs: [FrameOutput] = []

    /// Initialises everything, so that the first job is as fast as later ones.
    ///
    /// - Parameters:
    ///   - tools: tools made earlier by this process.
    ///   - settings: limits and threads.
    public init(tools: consuming RenderTools, settings: RenderSettings = RenderSettings()) {
        self.settings = settings
        looks = LookCache()
        source = SourceReader(limits: settings.limits, toolkit: tools.toolkit)
        last = nil
        publisher = RenditionPublisher(
            toolkit: tools.toolkit, profiles: tools.profiles, ordersPaths: settings.reusesPhotos)
        toolkit = tools.toolkit
        profiles = tools.profiles
        encoder = RenditionEncoder(profiles: tools.profiles)
    }

    /// Recreates all state that a failed job may have touched. The next job then takes a few milliseconds longer.
    private mutating func renew() {
        last = nil
        looks = LookCache()
        lenses = LensCache()
        cameraProfiles = CameraProfileCache()
        developer = DevelopContext()
        encoder = RenditionEncoder(profiles: profiles)
        MemoryPool.trim(toBytes: 0)
    }

    /// Prepares a look for the first job. Errors are ignored here, because that job reports them.
    ///
    /// - Parameter table: file of a look that is not built in.
    public mutating func prepare(_ look: LookReference, table: OpenFile? = nil) {
        if let stage = looks.prepare(look, table: table) { developer.prepare(stage) }
    }

    // MARK: - A job

    /// Renders a job. All files of the outcome are complete; new ones have no names yet.
    ///
    /// - Parameters:
    ///   - job: names the source and the recipe.
    ///   - files: files that may be read and written.
    ///   - threads: at most 64; nil for the number in the settings.
    public mutating func render(_ job: Job, _ files: any RenderFiles, threads: Int? = nil) -> RenderReply {
        let threads = min(max(threads ?? settings.threads, 1), 64)
        var clock = StageClock()
        outputs = []
        defer { MemoryPool.trim(toBytes: Self.maxPooledBytes) }
        do throws(Failure) {
            let renditions = try renditions(of: job, files, threads, &clock)
            return RenderReply(
                job: job.id, outcome: .completed(renditions), timings: clock.timings, outputs: outputs)
        } catch {
            source = SourceReader(limits: settings.limits, toolkit: toolkit)
            renew()
            return RenderReply(job: job.id, outcome: .failed(error), timings: clock.timings)
        }
    }

    /// Suffices for the planes of 60 megapixels. Larger photos are rare and allocate their memory each time.
    private static let maxPooledBytes = 256 << 20

    /// Finds the look, reads its files, renders each frame. Frames succeed and fail individually.
    private mutating func renditions(
        of job: Job, _ files: any RenderFiles, _ threads: Int, _ clock: inout StageClock
    ) throws(Failure) -> RenderedFrames {
        let look = try looks.stage(job.recipe, table: files.sources.lookTable)
        let lenses = try lenses.table(job.recipe, files.sources.lensTable)
        if let decoded = lastDecoded(job, files.sources) {
            let task = FrameTask(
                job, files, 0, of: 1, look: look, lenses: lenses, material: decoded.material, threads: threads)
            let given = try frameFiles(task, &clock)
            if let rendition = try reused(task, given, &clock, decoded.frame.metadata) {
                last = consume decoded
                return [rendition]
            }
            return [try rendition(from: decoded, given, task, &clock)]
        }
        let material = try clock.measure(.read) { () throws(Failure) in try source.read(job.source, files.sources) }
        if settings.isNull {
            let task = FrameTask(job, files, 0, of: 1, look: look, lenses: lenses, material: material, threads: threads)
            return [try placeholder(task, &clock)]
        }
        let count = try source.frameCount(of: job.source)
        if count == 1 {
            let task = FrameTask(job, files, 0, of: 1, look: look, lenses: lenses, material: material, threads: threads)
            let (rendition, given) = try begin(task, &clock)
            if let rendition { return [rendition] }
            let decoded = DecodedSource(
                source: job.source, facts: files.sources.facts, cameraProfiles: job.recipe.cameraProfiles,
                material: material, frame: try decode(task, &clock))
            return [try self.rendition(from: decoded, given, task, &clock)]
        }
        var renditions: [Rendition] = []
        var failures: [FrameFailure] = []
        for frame in 0..<count {
            let task = FrameTask(
                job, files, frame, of: count, look: look, lenses: lenses, material: material, threads: threads)
            do throws(Failure) {
                let (rendition, given) = try begin(task, &clock)
                if let rendition {
                    renditions.append(rendition)
                } else {
                    renditions.append(try render(decode(task, &clock), given, task, &clock))
                }
            } catch {
                // Storage and temporary errors: the job is retried as a whole.
                guard error.reason.verdict == .reject else { throw error }
                failures.append(FrameFailure(frame: UInt32(frame), failure: error))
                renew()
            }
        }
        // A file without any rendered frame fails with the first frame's reason.
        if renditions.isEmpty, let first = failures.first { throw first.failure }
        source.release()
        return RenderedFrames(renditions, failures: failures)
    }

    /// The last job's source if it is the same and unchanged. It is removed from `last`, so that a failed job leaves
    /// nothing to reuse.
    private mutating func lastDecoded(_ job: Job, _ files: SourceFiles) -> DecodedSource? {
        guard let decoded = last.take(), decoded.source == job.source, decoded.facts == files.facts,
            decoded.cameraProfiles == job.recipe.cameraProfiles
        else {
            MemoryPool.trim(toBytes: Self.maxPooledBytes)
            return nil
        }
        return decoded
    }

    /// Renders the only frame of a source, and keeps the source for the next job.
    private mutating func rendition(
        from decoded: consuming DecodedSource, _ given: FrameFiles?, _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let rendition = try render(decoded.frame, given, task, &clock)
        last = consume decoded
        return rendition
    }

    // MARK: - A frame

    /// Reuses the library's photo if allowed.
    ///
    /// - Returns: the rendition if the library has it, and the frame's files if they were requested.
    private mutating func begin(
        _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> (Rendition?, FrameFiles?) {
        guard settings.reusesPhotos, !task.job.rendersAnew else { return (nil, nil) }
        let files = try frameFiles(task, &clock)
        return (try reused(task, files, &clock), files)
    }

    private func encodingMemory(_ task: FrameTask) -> EncodingMemory? {
        EncodingMemory(task, limitBytes: settings.memoryBytes)
    }

    /// Decodes a frame. Releases the RAW's bytes after the last one, because developing needs the memory.
    private mutating func decode(_ task: FrameTask, _ clock: inout StageClock) throws(Failure) -> DecodedFrame {
        if let memory = encodingMemory(task) { try memory.check(sensor: try source.sensorSize(task)) }
        let frame = try clock.measure(.decode) { () throws(Failure) in
            let profile = try cameraProfiles.profile(
                task.job.recipe, for: try source.cameras(task), task.files.sources.cameraProfiles)
            return try source.decode(task, profile)
        }
        if task.isLast {
            source.release()
            MemoryPool.trim(toBytes: Self.maxPooledBytesBesideSamples)
        }
        return frame
    }

    /// Plans, develops with the look while encoding, completes and writes. The metadata are fixed before the first row.
    ///
    /// - Parameter given: the frame's files if they were requested earlier.
    private mutating func render(
        _ frame: borrowing DecodedFrame, _ given: FrameFiles?, _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let files: FrameFiles
        if let given { files = given } else { files = try frameFiles(task, &clock) }
        let lens = LensCorrection(task, frame.metadata, frame.sensor.facts)
        let planned = try plan(frame, lens, task, &clock)
        // Checked again for a source that was decoded for another photo, or that has non-square pixels.
        try encodingMemory(task)?.check(
            planned.size, sampleCount: frame.sensor.plane.width * frame.sensor.plane.height)
        let draft = RenditionDraft(
            task: task, files: files, metadata: frame.metadata, size: planned.size, toolkit: toolkit,
            degraded: planned.facts.degradation(frame.cameraPicture.complaint), lens: lens.note(planned.facts),
            lacksProfile: frame.lacksProfile, hasGainMap: planned.hasGainMap)
        let photo = try publisher.begin(draft, &encoder)
        let start = ContinuousClock.now
        let developed = developer.develop(frame.sensor, planned, into: photo.sink)
        // All threads share encoding, as they share developing.
        let encoding = photo.sink.encodingTime / task.threads
        clock.add(.encode, encoding)
        clock.add(.develop, ContinuousClock.now - start - encoding)
        return try publish(photo, developed, draft, &clock)
    }

    private mutating func plan(
        _ frame: borrowing DecodedFrame, _ lens: LensCorrection, _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> PlannedPicture {
        let start = ContinuousClock.now
        defer { clock.add(.develop, ContinuousClock.now - start) }
        do throws(DevelopError) {
            return try developer.plan(
                frame.sensor,
                settings: DevelopSettings(
                    task.job.recipe, matching: frame.cameraPicture.picture, lens: lens.corrections,
                    threads: task.threads),
                look: task.look, preview: RenderSettings.previewEdge)
        } catch {
            throw Failure(error, task.file)
        }
    }

    /// Requests the frame's files, and reports the files written since the last request.
    private mutating func frameFiles(_ task: FrameTask, _ clock: inout StageClock) throws(Failure) -> FrameFiles {
        let question = FrameQuestion(frame: UInt32(task.frame), finished: outputs)
        outputs = []
        return try clock.measure(.read) { () throws(Failure) in try task.files.frame(question) }
    }

    /// The library's photo of the RAW's bytes, the recipe and this engine, with the metadata it would get now; nil if
    /// it is missing or unreadable.
    ///
    /// - Parameter decoded: the RAW's metadata; nil reads them.
    private mutating func reused(
        _ task: FrameTask, _ files: FrameFiles, _ clock: inout StageClock, _ decoded: SourceMetadata? = nil
    ) throws(Failure) -> Rendition? {
        guard settings.reusesPhotos, !task.job.rendersAnew, files.knownPhoto != nil,
            let known = clock.measure(.read, { publisher.knownPhoto(files, task) }),
            let metadata = decoded ?? clock.measure(.decode, { source.metadata(task) })
        else { return nil }
        let mapBytes = MultiPictureIndex.mapBytes(in: known.bytes)
        let draft = RenditionDraft(
            task: task, files: files, metadata: metadata, size: known.size, toolkit: toolkit,
            degraded: known.identity.degraded, lens: known.identity.lens, hasGainMap: mapBytes != nil)
        let identity = draft.identity
        var packet = try draft.xmpPacket(identity, toolkit)
        if let mapBytes { packet = GainMapDescription.adding(mapBytes: mapBytes, to: packet) }
        let written = try clock.measure(.write) { () throws(Failure) in
            try publisher.publish(known, draft, identity, packet)
        }
        guard let written else { return nil }
        // Only now: if the photo cannot be reused, the RAW is decoded.
        if task.isLast { source.release() }
        outputs.append(
            FrameOutput(frame: UInt32(draft.task.frame), photo: written.written, replacesPhoto: written.replaces))
        return draft.rendition(
            photo: written.photo, preview: known.preview, timings: clock.timings, reused: known.digest)
    }

    /// The memory of a compressed file of 24 megapixels is kept for the next photo. Larger files come with larger
    /// samples, so their memory is released.
    private static let maxPooledBytesBesideSamples = 44 << 20

    /// Completes preview and photo concurrently, and writes them.
    private mutating func publish(
        _ photo: PhotoInProgress, _ developed: borrowing DevelopedStrips, _ draft: RenditionDraft,
        _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let finished = try clock.measure(.encode) { () throws(Failure) in
            try encoder.finish(photo, developed, draft.task)
        }
        clock.add(.encode, .zero - photo.file.fillTime)
        clock.add(.write, photo.file.fillTime)
        let published = try clock.measure(.write) { () throws(Failure) in
            try unsafe encoder.withPreview { preview throws(Failure) in
                try unsafe publisher.publish(
                    preview: preview, previewSize: finished.previewSize, photo, byteCount: finished.byteCount, draft)
            }
        }
        outputs.append(published.output)
        return draft.rendition(photo: published.photo, preview: published.preview, timings: clock.timings)
    }

    // MARK: - The null renderer

    /// Writes a rendition with a grey placeholder picture, to measure everything but rendering. The source is read and
    /// hashed, and the files have their identity as usual. The source may be any file.
    private mutating func placeholder(_ task: FrameTask, _ clock: inout StageClock) throws(Failure) -> Rendition {
        let recipe = task.job.recipe
        let picture = PlaceholderPicture.grey(recipe.colourSpace)
        let draft = RenditionDraft(
            task: task, files: try frameFiles(task, &clock),
            metadata: SourceMetadata(make: "Rawmill", model: "null renderer"), size: picture.size, toolkit: toolkit)
        let photo = try publisher.begin(draft, &encoder)
        PlaceholderPicture.write(to: photo.sink, PhotoCoding(recipe).depth, recipe.colourSpace)
        let developed = DevelopedStrips(
            size: draft.size, preview: picture, facts: DevelopFacts(coloursAreGuessed: false, whiteBalance: [1, 1, 1]))
        return try publish(photo, developed, draft, &clock)
    }
}
