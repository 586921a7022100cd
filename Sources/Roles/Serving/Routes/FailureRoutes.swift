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

/// What failed, by reason, with the remedy; tries again, and takes off the list what was dealt with.
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
        guard let id = BatchID(hex: text) else { throw ServiceError(404, "unknown-batch", "There is no such batch.") }
        return id
    }

    private func failures(_ request: RouteRequest) async throws -> Response {
        let entries = try await entries(of: Self.batch(request))
        let groups = Dictionary(grouping: entries, by: \.group).sorted { $0.key < $1.key }
        return .json { json in
            json.field("total", entries.count)
            json.array("groups") { json in
                for (name, entries) in groups {
                    json.object { json in
                        json.field("reason", name)
                        json.field("title", Self.title(name))
                        json.field("remedy", Self.remedy(name))
                        json.field("count", entries.count)
                        json.field("retryable", entries.contains(where: \.isRetryable))
                        json.array("files") { json in
                            // More than a person reads; the table has them all.
                            for entry in entries.prefix(500) { json.object { write(entry, to: &$0) } }
                        }
                    }
                }
            }
        }
    }

    private func write(_ entry: FailureSummary, to json: inout JSONWriter) {
        json.field("job", entry.job.description)
        json.field("batch", entry.batch.description)
        json.field("file", "\(entry.file.root)/\(entry.file.path)")
        json.field("message", entry.message)
        json.field("attempts", entry.attempts)
        json.field("signal", entry.signal.map { LogValue.text("signal \($0)") })
        json.field("log", attempts[entry.job])
    }

    private static func title(_ group: String) -> String {
        switch group {
        case "degraded": "Photos whose colours cannot be trusted"
        case "refused": "Refused by the library"
        default: group.prefix(1).uppercased() + group.dropFirst().split(separator: "-").joined(separator: " ")
        }
    }

    private static func remedy(_ group: String) -> String {
        switch group {
        case "degraded":
            "The photo is in the library. Compare it with the camera's own picture; another white balance may help."
        case "refused": "It is tried again by itself."
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
        guard jobs.count == texts.count else { throw ServiceError(400, "bad-request", "jobs is a list of jobs' ids.") }
        return Chosen(jobs: jobs, reason: document["reason"]?.text)
    }

    private func retry(_ request: RouteRequest) async throws -> Response {
        let chosen = try Self.chosen(request)
        let reason = chosen.reason.flatMap(FailureReason.init(rawValue:))
        // Frames that failed have no reason of their own in the ledger.
        let isPartial = chosen.reason == "degraded"
        guard chosen.reason == nil || reason != nil || isPartial else {
            throw ServiceError(400, "bad-request", "No job fails for that reason.")
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
        return .json { $0.field("retried", opened) }
    }

    private func dismiss(_ request: RouteRequest) async throws -> Response {
        let chosen = try Self.chosen(request)
        let known = try await entries(of: nil)
        let jobs = known.filter { entry in
            chosen.jobs.isEmpty
                ? chosen.reason.map { $0 == entry.group } ?? true : chosen.jobs.contains(entry.job)
        }.map(\.job)
        try dismissed.add(jobs)
        return .json { $0.field("dismissed", jobs.count) }
    }
}
