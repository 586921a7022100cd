internal import Jobs
internal import Manifests
internal import Storage

extension RootRegistry {
    /// The results, with the coordinator's own look at each source that a worker missed. The worker's root may be another
    /// folder, or show an old state. Only where the coordinator sees the root, and not the file, is the failure final.
    /// Otherwise the job is refused that end, with the reason, and goes to another worker.
    func judged(_ results: [JobResult]) async throws -> [JobResult] {
        var judged: [JobResult] = []
        for result in results {
            guard case .failed(let failure) = result.outcome, failure.reason.needsWitness,
                let refusal = try await refusal(of: result)
            else {
                judged.append(result)
                continue
            }
            judged.append(result.with(.refused(refusal)))
        }
        return judged
    }

    /// Why a missing source is not believed; nil if it is missing here, too.
    private func refusal(of result: JobResult) async throws -> Refusal? {
        let name = result.file.root
        guard let (path, sample) = try await known(name) else {
            return unseen(
                result, "it has no root \(name). Start it with --root \(name)=PATH.")
        }
        do throws(StorageError) {
            let root = try Root(path: path)
            if try root.factsIfPresent(of: result.file.path.bytes) != nil {
                return Refusal(
                    code: Refusal.sourcePresent,
                    message: "The worker \(result.worker) does not see \(result.file), which the coordinator sees at "
                        + "\(path). Is the same storage mounted on the worker's machine?")
            }
            // Looked at after the file: a mount that went away in between takes both along.
            let isRoot = if let sample, !sample.isEmpty { try sample.matches(root) } else { try root.hasEntries() }
            if isRoot { return nil }
        } catch {
            return unseen(result, "\(path) cannot be read: \(error.cause). Is the storage mounted there?")
        }
        // An operator may have named the folder since it was looked at last.
        if try await renew(name, at: path) { return nil }
        return unseen(
            result,
            "\(path) is not the folder it was, because nothing by which it was known is in it. Is the storage mounted there? If "
                + "it is the right folder, write a name of your choice into \(path)/.rawmill-root: then the job goes on "
                + "within five minutes.")
    }

    private func unseen(_ result: JobResult, _ cause: String) -> Refusal {
        Refusal(
            code: Refusal.rootUnseen,
            message:
                "The worker \(result.worker) misses \(result.file), and the coordinator cannot tell: \(cause)")
    }
}

extension JobResult {
    fileprivate func with(_ outcome: Outcome) -> JobResult {
        JobResult(
            job: job, batch: batch, file: file, round: round, attempts: attempts, worker: worker,
            finishedMilliseconds: finishedMilliseconds, traceparent: traceparent, outcome: outcome,
            reused: reused, frameFailure: frameFailure)
    }
}
