internal import Jobs
internal import Manifests
internal import Storage

extension RootRegistry {
    /// Checks each source that a worker missed: the worker's root may be another folder, or show an old state. The
    /// failure is final only if the coordinator sees the root and not the file. Otherwise the result is refused, with
    /// the reason, and the job goes to another worker.
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

    /// Why a worker's report of a missing source is rejected; nil if the source is missing here, too.
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
                    message: "The worker \(result.worker) does not see \(result.file), but the coordinator sees it at "
                        + "\(path). Mount the same storage on the worker's machine.")
            }
            // Checked after the file: if a mount disappears in between, both are missing.
            let isRoot = if let sample, !sample.isEmpty { try sample.matches(root) } else { try root.hasEntries() }
            if isRoot { return nil }
        } catch {
            return unseen(result, "\(path) cannot be read: \(error.cause). Mount its storage there.")
        }
        // An operator may have marked the folder since the last check.
        if try await renew(name, at: path) { return nil }
        return unseen(
            result,
            "\(path) is not the same folder as before: it contains no known file. Mount the right storage there, or, "
                + "if it is the right folder, write a name of your choice into \(path)/.rawmill-root; the job then "
                + "continues within five minutes.")
    }

    private func unseen(_ result: JobResult, _ cause: String) -> Refusal {
        Refusal(
            code: Refusal.rootUnseen,
            message:
                "The worker \(result.worker) cannot find \(result.file), and the coordinator cannot check the file: \(cause)"
        )
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
