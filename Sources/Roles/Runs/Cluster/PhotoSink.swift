/// The role that places photos: the cataloguer of a library, or the exporter of a folder.
package protocol PhotoSink: Sendable {
    /// Takes manifests as they arrive, until stopped.
    ///
    /// - Parameter onJobs: called with jobs whose photos are durable.
    func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws

    /// Ends `run` after the present batch.
    func stop()

    /// The number of manifests not yet taken.
    func lag() async throws -> Int64
    /// The number of the coordinator's records of removable sources not yet taken.
    func unreadRemovals() async throws -> Int64

    /// Call it after the last use.
    ///
    /// - Parameter isDone: true if no job is open.
    func close(isDone: Bool) async throws
}
