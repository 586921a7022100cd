/// A library's sink that also reports to an observer.
package struct ObservedSink: PhotoSink {
    private let sink: LibrarySink
    private let observer: any RunObserver

    package init(sink: LibrarySink, observer: any RunObserver) {
        self.sink = sink
        self.observer = observer
    }

    package func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        try await sink.run { jobs in
            for job in jobs { observer.finished(job) }
            try await onJobs(jobs)
        }
    }

    package func stop() { sink.stop() }
    package func lag() async throws -> Int64 { try await sink.lag() }
    package func unreadRemovals() async throws -> Int64 { try await sink.unreadRemovals() }
    package func close(isDone: Bool) async throws { await sink.close(isDone: isDone) }
}
