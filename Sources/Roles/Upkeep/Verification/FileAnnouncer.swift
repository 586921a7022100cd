internal import Concurrency
internal import Jobs
internal import Storage

/// Requests files before they are checked, on a separate thread. A cold disk takes milliseconds to find a file but can
/// find many at once, so there are more announcers than checkers.
actor FileAnnouncer {
    /// As many requests as a disk or a file server can order well.
    static let count = 16

    /// Bytes requested at a file's beginning. The system reads ahead for the rest.
    private static let byteCount = 1 << 18

    private let executor = ThreadExecutor(name: "file-announcer")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps its executor alive.
        unsafe executor.asUnownedSerialExecutor()
    }

    func announce(_ expectations: [FileExpectation]) {
        for expected in expectations {
            if expected.readsContent {
                expected.root.announce(expected.path.bytes, byteCount: Self.byteCount)
            } else {
                _ = try? expected.root.factsIfPresent(of: expected.path.bytes)
            }
        }
    }
}
