/// Work that is due again and again and that no event announces: heartbeats, measurements, checks of other machines.
public enum Periodic {
    /// Does the work, pauses, and repeats both until the task is cancelled.
    ///
    /// - Throws: what the work throws.
    public static func run<Failure>(
        every pause: Duration, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws(Failure) -> Void
    ) async throws(Failure) {
        while !Task.isCancelled {
            try await work()
            try? await Task.sleep(for: pause)
        }
    }
}
