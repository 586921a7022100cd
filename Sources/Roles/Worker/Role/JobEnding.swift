internal import Jobs
internal import Manifests
internal import Processes

extension WorkerState.Ending {
    /// What a render process's fate means for the job.
    init(_ outcome: SlotOutcome, of job: Job) {
        let file = job.source.raw.file
        switch outcome {
        case .replied(let reply):
            switch reply.outcome {
            case .completed(let renditions): self = .completed(renditions)
            case .failed(let failure): self = .failed(failure)
            }
        case .timedOut(let limit):
            let seconds = limit.components.seconds
            self = .failed(Failure(.timeout, "\(file) was not done after \(seconds) seconds and was given up."))
        case .outOfMemory(let bytes):
            self = .failed(Failure(.outOfMemory, "\(file) needed more than \(bytes >> 20) MiB of memory."))
        case .died(.signalled(let signal)):
            let words = "The render process was ended by signal \(signal) while it worked on \(file)."
            self = .failed(Failure(.decoderCrashed, words, signal: signal))
        case .died(.exited(let status)):
            let words = "The render process ended by itself (status \(status)) while it worked on \(file)."
            self = .failed(Failure(.decoderCrashed, words))
        case .aborted: self = .aborted
        case .noProcess(let why):
            self = .failed(Failure(.storageUnavailable, "No render process can be started: \(why)"))
        }
    }
}
