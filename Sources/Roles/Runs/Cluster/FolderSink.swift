package import Export
internal import Jobs
internal import Manifests
internal import Storage

/// The exporter of a folder without a library.
package struct FolderSink: PhotoSink {
    package let exporter: FolderExporter
    private let folder: String

    package init(exporter: FolderExporter, folder: String) {
        self.exporter = exporter
        self.folder = folder
    }

    package func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        do {
            try await place(onJobs)
        } catch let error as StorageError {
            throw RunError("the folder \(folder): \(error). \(error.remedy)")
        }
    }

    private func place(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        let folder = Array(folder.utf8)
        try await exporter.run { jobs in
            try await onJobs(
                // Lost photos are rendered again.
                jobs.filter { !$0.isLost }.map { job in
                    var finished = (photos: [[UInt8]](), kept: [[UInt8]](), problems: [String]())
                    for placement in job.placements {
                        switch placement {
                        case .placed(let path): finished.photos.append(folder + [UInt8(ascii: "/")] + path)
                        case .skipped(let path): finished.kept.append(folder + [UInt8(ascii: "/")] + path)
                        case .failed(let problem): finished.problems.append(problem)
                        case .lost: break
                        }
                    }
                    return FinishedJob(
                        manifest: job.manifest, photos: finished.photos, kept: finished.kept,
                        problems: finished.problems)
                })
        }
    }

    package func stop() { exporter.stop() }
    package func lag() async throws -> Int64 { try await exporter.lag() }
    // Without a library, no source is moved.
    package func unreadRemovals() async throws -> Int64 { 0 }
    package func close(isDone: Bool) async throws { try await exporter.close(isDone: isDone) }
}
