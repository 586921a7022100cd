internal import Jobs
internal import Lenses
internal import Pixels
internal import RenderJobs

/// One frame to render, with what is the same for every frame of its file.
struct FrameTask {
    let job: Job
    /// Where the job's files come from.
    let files: any RenderFiles
    /// From 0.
    let frame: Int
    /// The file's bytes are not needed after it.
    let isLast: Bool
    let look: any RowStage
    /// Nil for a recipe that uses none.
    let lenses: LensFinder?
    let material: SourceMaterial
    /// How many share the work.
    let threads: Int

    init(
        _ job: Job, _ files: any RenderFiles, _ frame: Int, of count: Int, look: any RowStage,
        lenses: LensFinder?, material: SourceMaterial, threads: Int
    ) {
        self.job = job
        self.files = files
        self.frame = frame
        isLast = frame == count - 1
        self.look = look
        self.lenses = lenses
        self.material = material
        self.threads = threads
    }

    /// The RAW, for messages.
    var file: FileReference { job.source.raw.file }
}
