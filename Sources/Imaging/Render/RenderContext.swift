internal import Decode
internal import Develop
internal import Encode
public import Jobs
public import Manifests
internal import Memory
internal import Metadata
internal import PictureFormat
internal import Pixels
public import Storage

/// Renders jobs: one photo's way from the RAW to the library, and everything that stays warm between photos (look tables,
/// ICC profiles, tables of the develop engine, memory for files).
///
/// One context serves one job at a time. What it writes depends on the job's inputs alone: not on the jobs before it,
/// nor on the clock, the machine, or the number of threads. So nothing stays warm that a photo can leave its mark on: a
/// handle of a C library lives for one file or picture, and after a failure everything is made anew.
public struct RenderContext: ~Copyable {
    private let settings: RenderSettings
    private var looks: LookCache
    private var source: SourceReader
    private var developer = DevelopContext()
    private var encoder: RenditionEncoder
    private let publisher: RenditionPublisher
    private let toolkit: XMPToolkit
    private let profiles: ICCProfiles
    private let roots: Roots
    private let library: Root

    /// Warms everything up, so that the first job costs what the others do.
    ///
    /// - Parameters:
    ///   - roots: by name; must hold the library's own folder under `RootName.library`.
    ///   - settings: limits and threads.
    /// - Throws: `Failure` where the library's root is missing or this machine cannot render at all.
    public init(roots: Roots, settings: RenderSettings = RenderSettings()) throws(Failure) {
        try self.init(tools: RenderTools(), roots: roots, settings: settings)
    }

    /// Takes over tools that are warm already.
    ///
    /// - Parameters:
    ///   - tools: made by this process before.
    ///   - roots: by name; must hold the library's own folder under `RootName.library`.
    ///   - settings: limits and threads.
    /// - Throws: `Failure` where the library's root is missing.
    public init(tools: consuming RenderTools, roots: Roots, settings: RenderSettings) throws(Failure) {
        guard let library = roots[RootName.library.text] else {
            throw Failure(.unknownRoot, "The library's folder was not given.")
        }
        self.settings = settings
        looks = LookCache(library: library)
        source = SourceReader(roots: roots, limits: settings.limits, toolkit: tools.toolkit)
        publisher = RenditionPublisher(library: library, roots: roots, toolkit: tools.toolkit)
        toolkit = tools.toolkit
        profiles = tools.profiles
        encoder = RenditionEncoder(profiles: tools.profiles)
        self.roots = roots
        self.library = library
    }

    /// Makes everything anew that a failed job may have touched, which costs the next one a few milliseconds.
    private mutating func renew() {
        looks = LookCache(library: library)
        developer = DevelopContext()
        encoder = RenditionEncoder(profiles: profiles)
        MemoryPool.trim(toBytes: 0)
    }

    /// Reads the look's table and makes it ready, so that the first job finds it. If anything is wrong with it, that job
    /// says so.
    public mutating func prepare(_ look: LookReference) {
        if let stage = looks.prepare(look) { developer.prepare(stage) }
    }

    // MARK: - A job

    /// Renders a job to its end: every file that the result names is complete and durable when this returns.
    ///
    /// - Parameters:
    ///   - job: names the source and the recipe.
    ///   - threads: how many share the work, at most 64; nil for as many as the settings say.
    public mutating func render(_ job: Job, threads: Int? = nil) -> RenderResult {
        let threads = min(max(threads ?? settings.threads, 1), 64)
        var clock = StageClock()
        defer { MemoryPool.trim(toBytes: Self.maxPooledBytes) }
        do throws(Failure) {
            let renditions = try renditions(of: job, threads, &clock)
            return RenderResult(outcome: .completed(renditions), timings: clock.timings)
        } catch {
            source = SourceReader(roots: roots, limits: settings.limits, toolkit: toolkit)
            renew()
            return RenderResult(outcome: .failed(error), timings: clock.timings)
        }
    }

    /// Enough for the planes of 60 megapixels. Larger photos are rare, and take their memory anew each time.
    private static let maxPooledBytes = 256 << 20

    /// Check the job ▸ find its look ▸ read its files ▸ render each frame. Frames succeed and fail one by one.
    private mutating func renditions(
        of job: Job, _ threads: Int, _ clock: inout StageClock
    ) throws(Failure) -> RenderedFrames {
        try check(job)
        let look = try looks.stage(job.recipe)
        let material = try clock.measure(.read) { () throws(Failure) in try source.read(job.source, threads: threads) }
        if settings.isNull {
            return [try placeholder(FrameTask(job, 0, of: 1, look: look, material: material, threads: threads), &clock)]
        }
        let count = try source.frameCount(of: job.source)
        var renditions: [Rendition] = []
        var failures: [FrameFailure] = []
        for frame in 0..<count {
            let task = FrameTask(job, frame, of: count, look: look, material: material, threads: threads)
            do throws(Failure) {
                renditions.append(try render(task, &clock))
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

    private func check(_ job: Job) throws(Failure) {
        guard job.engineNeeded <= Engine.version else {
            throw Failure(
                .newerWriter,
                "\(job.source.raw.file) needs engine \(job.engineNeeded); this is engine \(Engine.version). Upgrade it."
            )
        }
        if let problem = job.recipe.problem { throw Failure(.malformedRecord, "The recipe is wrong: \(problem).") }
    }

    // MARK: - A frame

    /// Decode ▸ develop with the look, encoding on the way ▸ publish.
    private mutating func render(_ task: FrameTask, _ clock: inout StageClock) throws(Failure) -> Rendition {
        let frame = try clock.measure(.decode) { () throws(Failure) in try source.decode(task) }
        let asset = clock.measure(.decode) { task.material.finishDigest() }
        if task.isLast {
            // The RAW is not needed any more; developing needs the memory.
            source.release()
            MemoryPool.trim(toBytes: Self.maxPooledBytesBesideSamples)
        }
        let metadata = frame.metadata
        let previewComplaint = frame.cameraPicture.complaint
        let developed = try develop(frame.sensor, matching: frame.cameraPicture.picture, task, &clock)
        let draft = RenditionDraft(
            task: task, asset: asset, metadata: metadata, size: developed.size,
            degraded: developed.facts.degradation(previewComplaint))
        return try publish(developed, draft, &clock)
    }

    /// The memory of a compressed file of 24 megapixels stays for the next photo. That of a larger file would come
    /// on top of samples as large, and is better mapped anew.
    private static let maxPooledBytesBesideSamples = 44 << 20

    /// Develops, and encodes strips of the photo on the way. Consumes the samples, so that their memory is free when it
    /// returns.
    private mutating func develop(
        _ sensor: consuming SensorImage, matching picture: SmallPicture?, _ task: FrameTask, _ clock: inout StageClock
    ) throws(Failure) -> DevelopedStrips {
        let strips = try encoder.begin(task)
        let start = ContinuousClock.now
        defer {
            // Several threads share the encoding as they share the rest.
            let encoding = strips.encodingTime / task.threads
            clock.add(.encode, encoding)
            clock.add(.develop, ContinuousClock.now - start - encoding)
        }
        do throws(DevelopError) {
            return try developer.develop(
                sensor, settings: DevelopSettings(task.job.recipe, matching: picture, threads: task.threads),
                look: task.look, preview: RenderSettings.previewEdge, into: strips)
        } catch {
            throw Failure(error, task.file)
        }
    }

    /// Completes the files of preview and photo at the same time, and publishes them together. Then the RAW's copy, where
    /// the job wants one.
    private mutating func publish(
        _ developed: borrowing DevelopedStrips, _ draft: RenditionDraft, _ clock: inout StageClock
    ) throws(Failure) -> Rendition {
        let identity = draft.identity
        let previewSize = try clock.measure(.encode) { () throws(Failure) in
            try encoder.finish(developed, draft, draft.xmpPacket(identity, toolkit))
        }
        let files = try clock.measure(.write) { () throws(Failure) in
            try unsafe encoder.withPreview { preview throws(Failure) in
                try unsafe encoder.withPhoto { photo throws(Failure) in
                    try unsafe publisher.publish(
                        preview: preview, previewSize: previewSize, photo: photo, draft, identity)
                }
            }
        }
        let copy = try clock.measure(.write) { () throws(Failure) in
            settings.isNull ? nil : try publisher.publishOriginal(draft.task.job, asset: draft.asset)
        }
        return draft.rendition(photo: files.photo, preview: files.preview, copy: copy, timings: clock.timings)
    }

    // MARK: - The null renderer

    /// A photo's way without its picture, to measure everything around it: the source was read and is hashed, preview
    /// and photo are made durable as ever, with their identity, and both are a few grey pixels. The source may be any
    /// file.
    private mutating func placeholder(_ task: FrameTask, _ clock: inout StageClock) throws(Failure) -> Rendition {
        let picture = PlaceholderPicture.grey(task.job.recipe.colourSpace)
        try encoder.begin(task).write(picture.asOneStrip)
        let developed = DevelopedStrips(
            size: picture.size, preview: PlaceholderPicture.grey(task.job.recipe.colourSpace),
            facts: DevelopFacts(coloursAreGuessed: false, whiteBalance: [1, 1, 1]))
        let draft = RenditionDraft(
            task: task, asset: task.material.finishDigest(),
            metadata: SourceMetadata(make: "Rawmill", model: "null renderer"), size: developed.size, degraded: nil)
        return try publish(developed, draft, &clock)
    }
}

/// How a job ended, and how long each stage took.
public struct RenderResult: Sendable {
    /// The renditions, or why there are none.
    public let outcome: Manifest.Outcome
    /// In the order of the stages.
    public let timings: [StageTiming]
}

/// One frame to render, with what is the same for every frame of its file.
struct FrameTask {
    let job: Job
    /// From 0.
    let frame: Int
    /// The file's bytes are not needed after it.
    let isLast: Bool
    let look: any RowStage
    let material: SourceMaterial
    /// How many share the work.
    let threads: Int

    init(_ job: Job, _ frame: Int, of count: Int, look: any RowStage, material: SourceMaterial, threads: Int) {
        self.job = job
        self.frame = frame
        isLast = frame == count - 1
        self.look = look
        self.material = material
        self.threads = threads
    }

    /// The RAW, for messages.
    var file: FileReference { job.source.raw.file }
}

extension DevelopSettings {
    /// - Parameter picture: the camera's own, whose brightness is the starting point.
    fileprivate init(_ recipe: Recipe, matching picture: SmallPicture?, threads: Int) {
        self.init(
            exposure: Float(recipe.exposureStops), brightness: picture.map { .matching($0) } ?? .metered,
            whiteBalance: recipe.whiteBalance.map {
                .temperature(kelvin: Float($0.kelvin), tint: Float($0.tint))
            } ?? .asShot,
            longEdge: recipe.longEdgePixels.map(Int.init),
            reducesNoise: recipe.reducesNoise, colourSpace: recipe.colourSpace, subsampling: .quarter, threads: threads)
    }
}

extension DevelopFacts {
    /// Why the rendition is `degraded`, for a person; nil where it is not.
    ///
    /// - Parameter previewComplaint: what is wrong with the camera's own picture.
    fileprivate func degradation(_ previewComplaint: String?) -> String? {
        var reasons = previewComplaint.map { [$0] } ?? []
        if coloursAreGuessed { reasons.append("The camera's colours are not known; they were guessed.") }
        if let found = agreement?.complaint {
            reasons.append("The picture disagrees with the camera's own preview: \(found).")
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: " ")
    }
}
