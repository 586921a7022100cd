/// The role that places photos: the cataloguer of a library, or the exporter of a folder.
package protocol PhotoSink: Sendable {
    /// Takes manifests as they arrive, until it is stopped.
    ///
    /// - Parameter onJobs: called with jobs whose photos are durable.
    func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws

    /// Ends `run` after the batch in hand.
    func stop()

    /// Manifests that it has not taken yet.
    func lag() async throws -> Int64
    /// The coordinator's records of removable sources that it has not taken yet.
    func unreadRemovals() async throws -> Int64

    /// Call it after the last use.
    ///
    /// - Parameter isDone: no job is open.
    func close(isDone: Bool) async throws
}
