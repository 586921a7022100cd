internal import Jobs
internal import Lenses
internal import Pixels
internal import RenderJobs

/// One frame to render, with the inputs that all frames of its file share.
struct FrameTask {
    let job: Job
    let files: any RenderFiles
    /// From 0.
    let frame: Int
    /// Whether this is the file's last frame, so that its bytes can be released.
    let isLast: Bool
    let look: any RowStage
    /// Nil if the recipe uses no lens table.
    let lenses: LensFinder?
    let material: SourceMaterial
    /// Number of threads.
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

    var file: FileReference { job.source.raw.file }
}
