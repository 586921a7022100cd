internal import Glibc
internal import Jobs
internal import Manifests
internal import Processes
internal import RenderHost

extension WorkerState.AttemptResult {
    /// What the outcome of a render process means for its job.
    init(_ outcome: RenderOutcome, of job: Job) {
        let file = job.source.raw.file
        switch outcome {
        case .replied(let reply, _):
            switch reply.outcome {
            case .completed(let renditions): self = .completed(renditions)
            case .failed(let failure): self = .failed(failure)
            }
        case .timedOut(let limit, let wasComputing):
            let time = "\(limit.components.seconds) seconds"
            let account = wasComputing ? "computed for \(time) and was not done" : "was not done after \(time)"
            // A busy machine or a slow disk may be over by the next try, but what computes for so long would do so again.
            self = .failed(
                Failure(.timeout, "\(file) \(account). It was given up."), maxRetries: wasComputing ? 1 : .max)
        case .outOfMemory(let bytes):
            self = .failed(Failure(.outOfMemory, "\(file) needed more than \(bytes >> 20) MiB of memory."))
        // What the kernel ended, because it did what a render process has no need to do.
        case .died(.signalled(SIGSYS)):
            let message =
                "The render process tried what its sandbox forbids while it worked on \(file), and was ended. The file is "
                + "damaged, or made to take over the program that reads it."
            self = .failed(Failure(.sandboxViolation, message, signal: SIGSYS))
        case .died(.signalled(SIGXCPU)):
            self = .failed(
                Failure(.timeout, "\(file) took all the processor time that a render may have. It was given up."),
                maxRetries: 1)
        case .died(.signalled(let signal)):
            let message = "The render process was ended by signal \(signal) while it worked on \(file)."
            self = .failed(Failure(.decoderCrashed, message, signal: signal))
        case .died(.exited(let status)):
            let message = "The render process ended by itself (status \(status)) while it worked on \(file)."
            self = .failed(Failure(.decoderCrashed, message))
        case .refused(let failure): self = .failed(failure)
        case .aborted: self = .aborted
        case .noProcess(let error): self = .failed(.noRenderProcess(error))
        }
    }
}

extension Failure {
    /// Treated as a storage fault: it is not the job's.
    static func noRenderProcess(_ error: HostedProcessError) -> Failure {
        Failure(.storageUnavailable, "No render process can be started: \(error)")
    }
}
