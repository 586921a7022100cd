/// Limits a verification's reading rate, to leave the disks to other processes.
struct ReadingPace: Sendable {
    let bytesPerSecond: UInt64?

    /// The parts of a batch between pauses.
    private static let partCount = 8

    func parts<File>(of files: [File]) -> [ArraySlice<File>] {
        guard bytesPerSecond != nil else { return files.isEmpty ? [] : [files[...]] }
        return stride(from: 0, to: files.count, by: Self.partCount).map { start in
            files[start..<min(start + Self.partCount, files.count)]
        }
    }

    /// Waits for the time that the bytes take at the limit. Throws `CancellationError`.
    func wait(afterReading bytes: UInt64) async throws {
        guard let bytesPerSecond, bytes > 0 else { return }
        try await Task.sleep(for: .seconds(Double(bytes) / Double(max(1, bytesPerSecond))))
    }
}
