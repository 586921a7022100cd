internal import Glibc
internal import Jobs
internal import Manifests
internal import Processes
internal import RenderHost

extension WorkerState.AttemptResult {
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
            let account =
                wasComputing ? "was not finished after \(time) of computing" : "was not finished after \(time)"
            // A busy machine or a slow disk may have recovered by the next try, but a long computation would repeat.
            self = .failed(
                Failure(.timeout, "\(file) \(account). The render was aborted."), maxRetries: wasComputing ? 1 : .max)
        case .outOfMemory(let bytes):
            self = .failed(Failure(.outOfMemory, "\(file) needed more than \(bytes >> 20) MiB of memory."))
        // The kernel killed it for a forbidden system call.
        case .died(.signalled(SIGSYS)):
            let message =
                "The render process violated its sandbox while rendering \(file), and was killed. The file is "
                + "damaged, or designed to take over the program that reads it."
            self = .failed(Failure(.sandboxViolation, message, signal: SIGSYS))
        case .died(.signalled(SIGXCPU)):
            self = .failed(
                Failure(.timeout, "\(file) exceeded the processor time of a render. The render was aborted."),
                maxRetries: 1)
        case .died(.signalled(let signal)):
            let message = "The render process was ended by signal \(signal) while rendering \(file)."
            self = .failed(Failure(.decoderCrashed, message, signal: signal))
        case .died(.exited(let status)):
            let message = "The render process exited with status \(status) while rendering \(file)."
            self = .failed(Failure(.decoderCrashed, message))
        case .refused(let failure): self = .failed(failure)
        case .aborted: self = .aborted
        case .noProcess(let error): self = .failed(.noRenderProcess(error))
        }
    }
}

extension Failure {
    /// Treated as a storage fault, because the job is not at fault.
    static func noRenderProcess(_ error: HostedProcessError) -> Failure {
        Failure(.storageUnavailable, "Cannot start a render process: \(error)")
    }
}
