internal import Concurrency
internal import Jobs
internal import Storage

/// Asks for files before they are checked, on a thread of its own.
///
/// A cold disk takes milliseconds to find a file, and finds many at once in the time of one: what costs is to wait for each in
/// turn. So there are more announcers than checkers.
actor FileAnnouncer {
    /// As many as a disk, or the server of a network file system, can order well.
    static let count = 16

    /// Bytes at the beginning of a file that are asked for. The system reads ahead of whoever reads the rest.
    private static let byteCount = 1 << 18

    private let executor = ThreadExecutor(name: "file-announcer")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
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
