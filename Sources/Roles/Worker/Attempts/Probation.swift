/// What a worker does with a job that was being rendered when its worker ended.
///
/// A start without an end is no proof against the job: far more often the program was killed, or the power failed.
/// So each further start is an experiment. The job runs alone, and only after the worker has been up for a time that
/// triples with each start: a worker that lives well without the job, and again and again ends with it, ends because
/// of it. One that is killed every few seconds never comes so far, so no photo is blamed for that.
struct Probation: Hashable, Sendable {
    /// How long the worker must have been up before the job starts, in milliseconds.
    let uptimeMilliseconds: Int64
    /// True if nothing else may run beside the job.
    let runsAlone: Bool

    /// For a job without open starts.
    static let none = Probation(openStarts: 0)

    /// - Parameter openStarts: starts of the job without an end.
    init(openStarts: UInt32) {
        runsAlone = openStarts > 0
        uptimeMilliseconds = openStarts < 2 ? 0 : Self.powers[min(Int(openStarts) - 2, Self.powers.count - 1)] * 1000
    }

    private static let powers: [Int64] = [1, 3, 9, 27]
}
