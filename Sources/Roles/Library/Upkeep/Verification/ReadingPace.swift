/// Holds a verification to a number of bytes a second, so that those who work on the same disks notice little of it.
struct ReadingPace: Sendable {
    /// Nil for no limit.
    let bytesPerSecond: UInt64?

    /// Files that are read between two pauses.
    private static let partCount = 8

    /// The files in the parts between which it pauses.
    func parts<File>(of files: [File]) -> [ArraySlice<File>] {
        guard bytesPerSecond != nil else { return files.isEmpty ? [] : [files[...]] }
        return stride(from: 0, to: files.count, by: Self.partCount).map { start in
            files[start..<min(start + Self.partCount, files.count)]
        }
    }

    /// Waits for as long as the bytes take at that rate.
    ///
    /// - Throws: `CancellationError`.
    func wait(afterReading bytes: UInt64) async throws {
        guard let bytesPerSecond, bytes > 0 else { return }
        try await Task.sleep(for: .seconds(Double(bytes) / Double(max(1, bytesPerSecond))))
    }
}
