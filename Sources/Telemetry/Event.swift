/// Every event that can be logged, named once. The raw value is what stands in the log, and does not change after a
/// release: people search for it.
public enum Event: String, Hashable, Sendable, CaseIterable {
    // The run.
    case runStarted = "run.started"
    case runEnded = "run.ended"
    case runInterrupted = "run.interrupted"

    // Coordinator.
    case planStarted = "plan.started"
    case planEnded = "plan.ended"
    case sourceSkipped = "source.skipped"
    case jobAccepted = "job.accepted"
    case jobPublished = "job.published"
    case jobRepublished = "job.republished"
    case jobClosed = "job.closed"
    case outboxFailed = "outbox.failed"
    case manifestIgnored = "manifest.ignored"

    // Worker.
    case workerStarted = "worker.started"
    case workerEnded = "worker.ended"
    case workerPaused = "worker.paused"
    case workerResumed = "worker.resumed"
    case renderProcessStarted = "render-process.started"
    case renderProcessEnded = "render-process.ended"
    case renderProcessKilled = "render-process.killed"
    case jobStarted = "job.started"
    case jobCompleted = "job.completed"
    case jobFailed = "job.failed"
    case jobRetried = "job.retried"
    case jobParked = "job.parked"
    case recordOutOfDate = "record.out-of-date"

    // Cataloguer.
    case manifestMerged = "manifest.merged"
    case manifestRepeated = "manifest.repeated"
    case manifestRefused = "manifest.refused"
    case photoPublished = "photo.published"
    case originalRemoved = "original.removed"
    case originalKept = "original.kept"
    case libraryVerified = "library.verified"
    case libraryRebuilt = "library.rebuilt"

    // Roles as processes of their own.
    case roleStarted = "role.started"
    case roleEnded = "role.ended"
    case roleDraining = "role.draining"
    case roleStoppedAtOnce = "role.stopped-at-once"
    case submissionAccepted = "submission.accepted"
    case submissionRefused = "submission.refused"
    case controlApplied = "control.applied"

    // Kafka.
    case kafkaProblem = "kafka.problem"
    case kafkaLogged = "kafka.logged"
    case kafkaRecreated = "kafka.recreated"
    case partitionsAssigned = "partitions.assigned"
    case partitionsRevoked = "partitions.revoked"
    case partitionRewound = "partition.rewound"
    case memberSilent = "member.silent"
    case commitRefused = "commit.refused"

    // Transport and storage.
    case brokerUnavailable = "broker.unavailable"
    case recordRefused = "record.refused"
    case storageUnavailable = "storage.unavailable"
    case temporaryRemoved = "temporary.removed"
}
