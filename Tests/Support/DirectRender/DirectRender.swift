public import Jobs
public import Manifests
internal import Render
public import RenderJobs
public import Storage

/// Renders jobs in the caller's process, on both sides of the usual channel: it opens the files, and names the written
/// ones.
public struct DirectRender: ~Copyable {
    private let roots: Roots
    private var context: RenderContext

    public init(roots: Roots, settings: RenderSettings = RenderSettings()) throws {
        self.roots = roots
        context = RenderContext(tools: try RenderTools(), settings: settings)
    }

    public mutating func render(_ job: Job, threads: Int? = nil) -> RenderReply {
        do throws(Failure) {
            let files = try JobFiles(job, roots: roots)
            let result = context.render(job, files, threads: threads)
            guard case .completed(let frames) = result.outcome else { return result }
            let (finished, unnamed) = try files.finish(frames, result.outputs)
            try publish(unnamed)
            return RenderReply(job: job.id, outcome: .completed(finished), timings: result.timings)
        } catch {
            return RenderReply(job: job.id, outcome: .failed(error), timings: [])
        }
    }

    private func publish(_ files: [UnnamedFile]) throws(Failure) {
        guard let library = roots[RootName.library.text], !files.isEmpty else { return }
        do throws(StorageError) {
            for result in try library.publish(files) { _ = try result.get() }
        } catch {
            throw Failure(library: error)
        }
    }
}
