internal import Decode
internal import Develop
internal import Encode
public import Jobs
public import Manifests
internal import Memory
internal import Metadata
internal import Pixels
public import Storage

/// One photo's way, and everything that stays warm between photos: look tables, ICC profiles, encoder, tables of the
/// develop engine, memory for files.
///
/// One context serves one job at a time. What it writes depends on the job's inputs alone: not on the jobs before it,
/// nor on the clock, the machine, or the number of threads.
public struct RenderContext: ~Copyable {
    let settings: RenderSettings
    /// How many share the work on this job.
    var threads: Int
    let roots: Roots
    let library: Root
    let toolkit: XMPToolkit
    var shelf: LookCache
    var developer: DevelopContext
    var encoder: JPEGEncoder
    let previews: PreviewEncoder
    var file: FileBuffer
    let previewReader: PreviewReader

    /// Warms everything up, so that the first job costs what the others do.
    ///
    /// - Parameter roots: must hold the library's own folder under `RootName.library`.
    /// - Throws: `Failure` where the library's root is missing or this machine cannot render at all.
    public init(roots: Roots, settings: RenderSettings = RenderSettings()) throws(Failure) {
        try self.init(tools: RenderTools(), roots: roots, settings: settings)
    }

    /// With tools that are warm already.
    public init(tools: consuming RenderTools, roots: Roots, settings: RenderSettings) throws(Failure) {
        guard let library = roots[RootName.library.text] else {
            throw Failure(.unknownRoot, "The library's folder was not given.")
        }
        self.roots = roots
        self.library = library
        self.settings = settings
        threads = settings.threads
        toolkit = tools.toolkit
        encoder = tools.encoder
        previews = PreviewEncoder(tools.previewEncoder)
        shelf = LookCache(library: library)
        developer = DevelopContext()
        file = FileBuffer()
        previewReader = PreviewReader()
    }

    /// Reads the look's table and makes it ready, so that the first job finds it. If anything is wrong with it, that job
    /// says so.
    public mutating func prepare(_ look: LookReference) {
        if let stage = shelf.prepare(look) { developer.prepare(stage) }
    }

    /// Renders a job to its end: every file it names is complete and durable when this returns.
    ///
    /// - Parameter threads: how many share the work; nil for as many as the settings say.
    public mutating func render(_ job: Job, threads: Int? = nil) -> Rendered {
        self.threads = min(max(threads ?? settings.threads, 1), 64)
        var clock = StageClock()
        defer { MemoryPool.trim(toBytes: Self.mostKeptBytes) }
        do throws(Failure) {
            let frames = try renderFrames(job, &clock)
            return Rendered(outcome: .completed(frames), timings: clock.timings)
        } catch {
            file.trim(toBytes: 0)
            return Rendered(outcome: .failed(error), timings: clock.timings)
        }
    }

    /// Enough for the planes of 60 megapixels: larger photos are rare, and take their memory anew each time.
    private static let mostKeptBytes = 256 << 20

    private mutating func renderFrames(_ job: Job, _ clock: inout StageClock) throws(Failure) -> [Rendition] {
        guard job.engineNeeded <= Engine.version else {
            throw Failure(
                .newerWriter,
                "\(job.source.raw.file) needs engine \(job.engineNeeded); this is engine \(Engine.version). Upgrade it."
            )
        }
        if let problem = job.recipe.problem {
            throw Failure(.malformedRecord, "The recipe is wrong: \(problem).")
        }
        let look = try shelf.stage(job.recipe)
        if settings.isNull { return [try renderNothing(job, look, &clock)] }
        let material = try clock.measure(.read) { () throws(Failure) in try read(job.source) }
        let count = try decodeFailure(job.source) { () throws(DecodeError) in try open().frameCount }
        var frames: [Rendition] = []
        for frame in 0..<count {
            let work = FrameWork(job: job, frame: frame, isLast: frame == count - 1, look: look, material: material)
            frames.append(try render(work, &clock))
        }
        return frames
    }

    /// The RAW that is in the file buffer.
    func open() throws(DecodeError) -> RawFile { try RawFile(bytes: file.bytes, limits: settings.limits) }
}

/// How a job ended, and how long each stage took.
public struct Rendered: Sendable {
    public let outcome: Manifest.Outcome
    public let timings: [StageTiming]
}

/// One frame to render, with all that is the same for every frame of its file.
struct FrameWork {
    let job: Job
    let frame: Int
    /// The file's bytes are not needed after it.
    let isLast: Bool
    let look: any RowStage
    let material: SourceMaterial
}
