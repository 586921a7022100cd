/// All events in the log. Raw values are stable between releases, because users search for them.
public enum Event: String, Hashable, Sendable, CaseIterable {
    // Run.
    case runStarted = "run.started"

    // Coordinator.
    case planStarted = "plan.started"
    case planEnded = "plan.ended"
    case sourceSkipped = "source.skipped"
    case jobAccepted = "job.accepted"
    case jobRepublished = "job.republished"
    case jobClosed = "job.closed"
    case jobRefused = "job.refused"

    // Worker.
    case workerStarted = "worker.started"
    case workerEnded = "worker.ended"
    case workerPaused = "worker.paused"
    case workerResumed = "worker.resumed"
    case jobStarted = "job.started"
    case jobCompleted = "job.completed"
    case jobFailed = "job.failed"
    case jobRetried = "job.retried"
    case recordOutOfDate = "record.out-of-date"

    // Cataloguer.
    case manifestMerged = "manifest.merged"
    case manifestRepeated = "manifest.repeated"
    case manifestRefused = "manifest.refused"
    case photoNameTaken = "photo.name-taken"
    case originalRemoved = "original.removed"
    case originalKept = "original.kept"
    case libraryUpdating = "library.updating"
    case libraryUpdated = "library.updated"

    // Roles.
    case roleStarted = "role.started"
    case roleEnded = "role.ended"
    case roleDraining = "role.draining"
    case roleStoppedAtOnce = "role.stopped-at-once"
    case submissionRefused = "submission.refused"
    case coordinatorStandsBy = "coordinator.stands-by"
    case coordinatorLeads = "coordinator.leads"
    case coordinatorStepsDown = "coordinator.steps-down"
    case databaseUnavailable = "database.unavailable"
    case rootChanged = "root.changed"
    case controlApplied = "control.applied"

    // Kafka.
    case kafkaProblem = "kafka.problem"
    case kafkaLogged = "kafka.logged"
    case kafkaRecreated = "kafka.recreated"
    case kafkaConnected = "kafka.connected"
    case kafkaReplaced = "kafka.replaced"
    case partitionsAssigned = "partitions.assigned"
    case partitionsRevoked = "partitions.revoked"
    case partitionRewound = "partition.rewound"
    case memberSilent = "member.silent"
    case commitRefused = "commit.refused"

    // Web page.
    case runFailed = "run.failed"
    case requestFailed = "request.failed"
    case changeRequested = "change.requested"

    // Machine.
    case sandboxIncomplete = "sandbox.incomplete"

    // Settings.
    case secretExposed = "secret.exposed"

    // Transport and storage.
    case brokerUnavailable = "broker.unavailable"
    case recordRefused = "record.refused"
    case storageUnavailable = "storage.unavailable"
    case outageEnded = "outage.ended"
    case temporaryRemoved = "temporary.removed"
}
