import Foundation

/// Limits for decoding one file.
struct Limits {
    let seconds: UInt32
    let mebibytes: Int

    /// Nil unless both are numbers above 0.
    init?(seconds: String, mebibytes: String) {
        guard let seconds = UInt32(seconds), let mebibytes = Int(mebibytes), seconds > 0, mebibytes > 0 else {
            return nil
        }
        self.seconds = seconds
        self.mebibytes = mebibytes
    }

    /// Limits the process's address space, as a worker does for render processes.
    func limitMemory() {
        var memory = rlimit(rlim_cur: UInt(mebibytes) << 20, rlim_max: UInt(mebibytes) << 20)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    }

    /// Runs `body` and reports its milliseconds and peak memory in MiB. After the deadline SIGALRM ends the process.
    func measured(_ body: () -> String) -> (word: String, figures: String) {
        forgetPeak()
        alarm(seconds)
        let start = ContinuousClock.now
        let word = body()
        let time = ContinuousClock.now - start
        alarm(0)
        return (word, "\(time / .milliseconds(1)) \(peakMebibytes)".replacing(/\.\d+/, with: ""))
    }

    /// Writing "5" resets the peak resident size (proc(5), clear_refs).
    private func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private var peakMebibytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }.map { $0 >> 10 } ?? 0
    }
}
