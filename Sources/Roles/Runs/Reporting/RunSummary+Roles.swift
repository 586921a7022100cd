package import Coordinator
internal import Digest
internal import Jobs
internal import Manifests

/// Conversions from the roles' values to the reporter's.
extension RunPlan {
    package init(_ counts: PlanCounts, pending: Int) {
        self.init(
            new: counts.new, changed: counts.stale.values.reduce(0, +), again: counts.again, pending: pending,
            unchanged: counts.unchanged, failedBefore: counts.failedBefore, unreadable: counts.unreadable,
            notRaw: counts.skipped.notRaw, links: counts.linksOut + counts.skipped.links,
            excluded: counts.skipped.excluded, ratedLower: counts.skipped.ratedLower,
            leastRating: counts.skipped.leastRating)
    }
}

extension RunCounts {
    mutating func count(_ end: JobState) {
        switch end {
        case .catalogued: completed += 1
        case .degraded: degraded += 1
        case .failed: failed += 1
        case .accepted, .published, .cancelled: break
        }
    }
}

extension Manifest {
    fileprivate var degradation: String? {
        if case .completed(let frames) = outcome { frames.degradation } else { nil }
    }
}

extension CompletedJob {
    init(_ job: FinishedJob, _ renditions: [Rendition], roots: RootMap) {
        self.init(
            job: job.manifest.job.description, source: roots.absolute(job.manifest.source.raw.file),
            asset: renditions.first?.asset.description ?? "", photos: job.photos, occupied: job.occupied,
            reused: job.manifest.reusedCount, milliseconds: Self.milliseconds(renditions),
            degraded: job.manifest.degradation,
            cameraWithoutProfile: renditions.first { $0.lacksProfile }?.cameraName)
    }

    /// The time of each stage over all frames, in order of first appearance.
    private static func milliseconds(_ renditions: [Rendition]) -> [StageMilliseconds] {
        var sums: [StageMilliseconds] = []
        for timing in renditions.flatMap(\.timings) {
            let milliseconds = Double(timing.microseconds) / 1000
            if let index = sums.firstIndex(where: { $0.stage == timing.stage }) {
                sums[index].milliseconds += milliseconds
            } else {
                sums.append(StageMilliseconds(stage: timing.stage, milliseconds: milliseconds))
            }
        }
        return sums
    }
}
