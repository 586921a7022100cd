import Glibc

/// How many descriptors and how much memory the cluster's processes have, over their lives (I9).
struct TortureWatch {
    private struct Sample {
        let at: ContinuousClock.Instant
        let descriptors: Int
        let residentBytes: Int
    }

    private struct Life {
        let name: String
        var samples: [Sample] = []
    }

    private var lives: [Int32: Life] = [:]

    /// What a process has gained when it is this old says something; before, it is still getting warm.
    private static let shortest = Duration.seconds(12)
    /// What comes and goes: clients of librdkafka with 6 each and their connections (a coordinator makes four at its first
    /// quiet moment, to ask what the workers have committed), files that are being written, the allocator's reserves.
    private static let descriptors = 40
    private static let bytes = 24 << 20

    mutating func look(at roles: [TortureProcess]) {
        for role in roles {
            guard let pid = role.pid, let bytes = ProcessTable.residentBytes(of: pid) else { continue }
            let sample = Sample(at: .now, descriptors: ProcessTable.descriptors(of: pid), residentBytes: bytes)
            lives[pid, default: Life(name: role.name)].samples.append(sample)
        }
    }

    /// The most that any process gained from the second quarter of its life to the last.
    var verdict: TortureVerdict {
        var (descriptors, bytes) = (0, 0)
        var complaints: [String] = []
        var judged = 0
        for life in lives.values {
            guard let gain = Self.gain(life.samples) else { continue }
            judged += 1
            (descriptors, bytes) = (max(descriptors, gain.descriptors), max(bytes, gain.bytes))
            if gain.descriptors > Self.descriptors || gain.bytes > Self.bytes {
                complaints.append("\(life.name) gained \(gain.descriptors) descriptors, \(gain.bytes >> 10) KiB")
            }
        }
        let text = "\(judged) processes gained at most \(descriptors) descriptors and \(bytes >> 10) KiB"
        return TortureVerdict(
            name: "I9 nothing grows", holds: complaints.isEmpty,
            text: ([text] + complaints).joined(separator: "; "))
    }

    /// By medians, so that one moment decides nothing.
    private static func gain(_ samples: [Sample]) -> (descriptors: Int, bytes: Int)? {
        guard let first = samples.first, let last = samples.last, samples.count >= 8, last.at - first.at > shortest
        else { return nil }
        let quarter = samples.count / 4
        let (early, late) = (samples[quarter..<2 * quarter], samples.suffix(quarter))
        return (
            median(late.map(\.descriptors)) - median(early.map(\.descriptors)),
            median(late.map(\.residentBytes)) - median(early.map(\.residentBytes))
        )
    }

    private static func median(_ numbers: [Int]) -> Int { numbers.sorted()[numbers.count / 2] }
}
