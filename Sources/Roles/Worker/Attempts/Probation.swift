/// How a worker treats a job whose earlier worker ended while rendering it.
///
/// A start without an end does not prove that the job is at fault: the program was more likely killed, or the power
/// failed. So each further start is an experiment. The job runs alone, after an uptime that triples with each start: a
/// worker that runs well without the job and repeatedly dies with it dies because of it. A worker that is killed every
/// few seconds never reaches that uptime, so its photos are not blamed.
struct Probation: Hashable, Sendable {
    /// Minimum uptime of the worker before the job starts.
    let uptimeMilliseconds: Int64
    let runsAlone: Bool

    static let none = Probation(openStarts: 0)

    init(openStarts: UInt32) {
        runsAlone = openStarts > 0
        uptimeMilliseconds = openStarts < 2 ? 0 : Self.powers[min(Int(openStarts) - 2, Self.powers.count - 1)] * 1000
    }

    private static let powers: [Int64] = [1, 3, 9, 27]
}
