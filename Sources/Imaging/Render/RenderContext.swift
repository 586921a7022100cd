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

/// Renders jobs: one photo's way from the RAW to the files of the library, and everything that stays warm between
/// photos (look tables, ICC profiles, tables of the develop engine, memory for files).
///
/// One context serves one job at a time. What it writes depends on the job's inputs alone: not on the jobs before it,
/// nor on the clock, the machine, or the number of threads. So nothing stays warm that a photo can leave its mark on: a
/// handle of a C library lives for one file or picture, and after a failure everything is made anew. The samples of the
/// last photo are kept, for its other looks and sizes: nothing writes to them after they are decoded.
public struct RenderContext: ~Copyable {
    private let settings: RenderSettings
    private var looks: LookCache
    private var lenses = LensCache()
    private var cameraProfiles = CameraProfileCache()
    var source: SourceReader
    /// What the last job decoded; nil after one that failed.
    private var last: DecodedSource?
    private var developer = DevelopContext()
    private var encoder: RenditionEncoder
    private let publisher: RenditionPublisher
    private let toolkit: XMPToolkit
    let profiles: ICCProfiles
    /// What was written of the job's frames and was not yet reported to the side that gave the files.
    private var outputs: [FrameOutput] = []

    /// Warms everything up, so that the first job costs what the others do.
    ///
    /// - Parameters:
    ///   - tools: made by this process before.
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

    /// Makes everything anew that a failed job may have touched, which costs the next one a few milliseconds.
    private mutating func renew() {
        last = nil
        looks = LookCache()
        lenses = LensCache()
        cameraProfiles = CameraProfileCache()
        developer = DevelopContext()
        encoder = RenditionEncoder(profiles: profiles)
        MemoryPool.trim(toBytes: 0)
    }

    /// Reads the look's table and makes it ready, so that the first job finds it. If anything is wrong with it, that
    /// job says so.
    ///
    /// - Parameter table: of a look that is not built in.
    public mutating func prepare(_ look: LookReference, table: OpenFile? = nil) {
        if let stage = looks.prepare(look, table: table) { developer.prepare(stage) }
    }

    // MARK: - A job

    /// Renders a job to its end: the files that the outcome names are written, and those that are new have no names
    /// yet.
    ///
    /// - Parameters:
    ///   - job: names the source and the recipe.
    ///   - files: what may be read and written for it.
    ///   - threads: how many share the work, at most 64; nil for as many as the settings say.
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

    /// Enough for the planes of 60 megapixels. Larger photos are rare, and take their memory anew each time.
    private static let maxPooledBytes = 256 << 20

    /// Find the look ▸ read its files ▸ render each frame. Frames succeed and fail one by one.
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
                // Of the storage, or of the moment: the job is tried again as a whole.
                guard error.reason.verdict == .reject else { throw error }
                failures.append(FrameFailure(frame: UInt32(frame), failure: error))
                renew()
            }
        }
        // A file none of whose frames can be rendered has failed, for the first one's reason.
        if renditions.isEmpty, let first = failures.first { throw first.failure }
        source.release()
        return RenderedFrames(renditions, failures: failures)
    }

    /// The source of the last job, if that is this one and nothing of it changed since. It is taken out: what a failed
    /// job touched is not used again.
    private mutating func lastDecoded(_ job: Job, _ files: SourceFiles) -> DecodedSource? {
        guard let decoded = last.take(), decoded.source == job.source, decoded.facts == files.facts,
            decoded.cameraProfiles == job.recipe.cameraProfiles
        else {
            MemoryPool.trim(toBytes: Self.maxPooledBytes)
            return nil
        }
        return decoded
    }

    /// Renders the one frame of a source, and keeps it for the next job.
    private mutating func rendition(
        from decoded: consuming DecodedSource, _ given: FrameFiles?, _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let rendition = try render(decoded.frame, given, task, &clock)
        last = consume decoded
        return rendition
    }

    // MARK: - A frame

    /// Takes the photo that the library has already, where it may.
    ///
    /// - Returns: the rendition, where it has one; and the frame's files, where they were asked for.
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

    /// Decodes a frame. The RAW's bytes are gone after the last one: developing needs the memory.
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

    /// Plan ▸ develop with the look, encoding on the way ▸ complete ▸ write. What the photo says of itself is decided
    /// before its first row.
    ///
    /// - Parameter given: the frame's files, where they were asked for already.
    private mutating func render(
        _ frame: borrowing DecodedFrame, _ given: FrameFiles?, _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let files: FrameFiles
        if let given { files = given } else { files = try frameFiles(task, &clock) }
        let lens = LensCorrection(task, frame.metadata, frame.sensor.facts)
        let planned = try plan(frame, lens, task, &clock)
        // Once more, for a source that was decoded for another photo, or whose pixels are not square.
        try encodingMemory(task)?.check(
            planned.size, sampleCount: frame.sensor.plane.width * frame.sensor.plane.height)
        let draft = RenditionDraft(
            task: task, files: files, metadata: frame.metadata, size: planned.size, toolkit: toolkit,
            degraded: planned.facts.degradation(frame.cameraPicture.complaint), lens: lens.note(planned.facts),
            lacksProfile: frame.lacksProfile, hasGainMap: planned.hasGainMap)
        let photo = try publisher.begin(draft, &encoder)
        let start = ContinuousClock.now
        let developed = developer.develop(frame.sensor, planned, into: photo.sink)
        // Several threads share the encoding as they share the rest.
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

    /// Asks for the frame's files. What was written before becomes known with the question.
    private mutating func frameFiles(_ task: FrameTask, _ clock: inout StageClock) throws(Failure) -> FrameFiles {
        let question = FrameQuestion(frame: UInt32(task.frame), finished: outputs)
        outputs = []
        return try clock.measure(.read) { () throws(Failure) in try task.files.frame(question) }
    }

    /// The photo that the library has of the RAW's bytes, the recipe and this engine, with metadata as if it were
    /// developed now; nil if there is none, or none that can be read.
    ///
    /// - Parameter decoded: the RAW's metadata where it is decoded already; nil reads them.
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
        // Not before: where the photo cannot be taken, the RAW is decoded.
        if task.isLast { source.release() }
        outputs.append(
            FrameOutput(frame: UInt32(draft.task.frame), photo: written.written, replacesPhoto: written.replaces))
        return draft.rendition(
            photo: written.photo, preview: known.preview, timings: clock.timings, reused: known.digest)
    }

    /// The memory of a compressed file of 24 megapixels stays for the next photo. That of a larger file would come
    /// on top of samples as large, and is better mapped anew.
    private static let maxPooledBytesBesideSamples = 44 << 20

    /// Completes the files of preview and photo at the same time, and writes them.
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

    /// A photo's way without its picture, to measure everything around it: the source was read and is hashed, preview
    /// and photo are written as ever, with their identity, and both are a few grey pixels. The source may be any
    /// file.
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
