internal import Clock
internal import Coordinator
internal import Digest
internal import JSON
internal import Jobs
internal import Manifests
internal import Synchronization
internal import Telemetry
internal import Web
internal import WebService

/// Lists failures by reason, with the remedy; retries and dismisses them.
struct FailureRoutes {
    let operations: any Operations
    let dismissed: DismissedFailures
    let events: EventHub
    let attempts: AttemptLog

    var routes: [Route] {
        [
            .get("/v1/failures") { try await failures($0) }, .get("/v1/failures.csv") { try await table($0) },
            .post("/v1/failures/retry") { try await retry($0) },
            .post("/v1/failures/dismiss") { try await dismiss($0) },
        ]
    }

    private func entries(of batch: BatchID?) async throws -> [FailureSummary] {
        try await operations.failures(of: batch).filter { !dismissed.contains($0.job) }
    }

    private static func batch(_ request: RouteRequest) throws(ServiceError) -> BatchID? {
        guard let text = request.request["batch"], !text.isEmpty else { return nil }
        guard let id = BatchID(hex: text) else { throw ServiceError(404, "unknown-batch", "The batch does not exist.") }
        return id
    }

    private func failures(_ request: RouteRequest) async throws -> Response {
        let entries = try await entries(of: Self.batch(request))
        let groups = Dictionary(grouping: entries, by: \.group).sorted { $0.key < $1.key }
        let shown = groups.map { name, entries -> JSONFields in
            [
                "reason": name, "title": Self.title(name), "remedy": Self.remedy(name), "count": entries.count,
                "retryable": entries.contains(where: \.isRetryable),
                "files": entries.prefix(Self.maxShown).map(fields),
            ]
        }
        return .json(["total": entries.count, "groups": shown])
    }

    /// The limit for each group. The table lists all.
    private static let maxShown = 500

    private func fields(_ entry: FailureSummary) -> JSONFields {
        [
            "job": entry.job.description, "batch": entry.batch.description,
            "file": "\(entry.file.root)/\(entry.file.path)", "message": entry.message, "attempts": entry.attempts,
            "signal": entry.signal.map { "signal \($0)" }, "log": attempts[entry.job],
        ]
    }

    static func title(_ group: String) -> String {
        switch group {
        case "degraded": "Photos whose colours cannot be trusted"
        case "refused": "Refused by the library"
        default:
            FailureReason(rawValue: group)?.title
                ?? group.prefix(1).uppercased() + group.dropFirst().split(separator: "-").joined(separator: " ")
        }
    }

    private static func remedy(_ group: String) -> String {
        switch group {
        case "degraded":
            "The photo is in the library. Compare it with the camera's own picture; another white balance may help."
        case "refused": "It is rendered again automatically."
        default: FailureReason(rawValue: group)?.remedy ?? ""
        }
    }

    private func table(_ request: RouteRequest) async throws -> Response {
        var lines = ["reason,file,message,remedy,attempts,signal,batch,job"]
        for entry in try await entries(of: Self.batch(request)) {
            let cells = [
                entry.group, "\(entry.file.root)/\(entry.file.path)", entry.message, Self.remedy(entry.group),
                "\(entry.attempts)", entry.signal.map { "\($0)" } ?? "", entry.batch.description, entry.job.description,
            ]
            lines.append(CSVLine.text(cells))
        }
        return Response(
            contentType: "text/csv; charset=utf-8", body: Array((lines.joined(separator: "\r\n") + "\r\n").utf8),
            headers: [.init("Content-Disposition", "attachment; filename=\"failures.csv\"")])
    }

    // MARK: Changes

    private struct Chosen {
        let jobs: [JobID]
        let reason: String?
    }

    private static func chosen(_ request: RouteRequest) throws(ServiceError) -> Chosen {
        let document = try request.body.isEmpty ? .object([:]) : request.json()
        let texts = document["jobs"].map { $0.texts ?? [""] } ?? []
        let jobs = texts.compactMap { SHA256Value(hex: $0).map(JobID.init(digest:)) }
        guard jobs.count == texts.count else {
            throw ServiceError(400, "bad-request", "jobs must be a list of job ids.")
        }
        return Chosen(jobs: jobs, reason: document["reason"]?.text)
    }

    private func retry(_ request: RouteRequest) async throws -> Response {
        let chosen = try Self.chosen(request)
        let reason = chosen.reason.flatMap(FailureReason.init(rawValue:))
        // The ledger has no reason for failed frames of a degraded photo.
        let isPartial = chosen.reason == "degraded"
        guard chosen.reason == nil || reason != nil || isPartial else {
            throw ServiceError(400, "bad-request", "reason is not a known reason.")
        }
        let known = try await entries(of: nil)
        let jobs = known.filter { entry in
            chosen.jobs.isEmpty ? isPartial && entry.group == "degraded" : chosen.jobs.contains(entry.job)
        }.map { JobAddress(file: $0.file, job: $0.job) }
        let isNothing = jobs.isEmpty && (isPartial || !chosen.jobs.isEmpty)
        let tried =
            isNothing
            ? []
            : known.filter { entry in
                chosen.jobs.isEmpty ? chosen.reason.map { $0 == entry.group } ?? true : chosen.jobs.contains(entry.job)
            }
        let opened = try await operations.retry(isNothing ? nil : RetryFilter(reason: reason, jobs: jobs), tried)
        events.send("batches", "{}")
        return .json(["retried": opened])
    }

    private func dismiss(_ request: RouteRequest) async throws -> Response {
        let chosen = try Self.chosen(request)
        let known = try await entries(of: nil)
        let jobs = known.filter { entry in
            chosen.jobs.isEmpty
                ? chosen.reason.map { $0 == entry.group } ?? true : chosen.jobs.contains(entry.job)
        }.map(\.job)
        try dismissed.add(jobs)
        return .json(["dismissed": jobs.count])
    }
}
