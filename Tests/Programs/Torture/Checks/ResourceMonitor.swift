import Glibc

/// Descriptors and memory of the cluster's processes over their lives (I9).
struct ResourceMonitor {
    private struct Sample {
        let time: ContinuousClock.Instant
        let descriptors: Int
        let residentBytes: Int
    }

    private struct History {
        let name: String
        var samples: [Sample] = []
    }

    private var histories: [Int32: History] = [:]

    /// Younger processes are still starting: their gains are ignored.
    private static let minAge = Duration.seconds(12)
    /// Temporary descriptors: clients of librdkafka with 6 each and their connections (a coordinator makes four when it
    /// first becomes idle, to read the workers' commits; moving leaders replace several at once), files being written,
    /// the allocator's reserves.
    private static let maxDescriptors = 60
    private static let maxBytes = 24 << 20

    mutating func sample(_ roles: [RoleProcess]) {
        for role in roles {
            guard let pid = role.pid, let bytes = ProcessTable.residentBytes(of: pid) else { continue }
            let sample = Sample(time: .now, descriptors: ProcessTable.descriptors(of: pid), residentBytes: bytes)
            histories[pid, default: History(name: role.name)].samples.append(sample)
        }
    }

    /// Checks the largest gain of any process from the second quarter of its life to the last.
    var verdict: Verdict {
        var (descriptors, bytes) = (0, 0)
        var complaints: [String] = []
        var judged = 0
        for history in histories.values {
            guard let gain = Self.gain(history.samples) else { continue }
            judged += 1
            (descriptors, bytes) = (max(descriptors, gain.descriptors), max(bytes, gain.bytes))
            if gain.descriptors > Self.maxDescriptors || gain.bytes > Self.maxBytes {
                complaints.append("\(history.name) gained \(gain.descriptors) descriptors, \(gain.bytes >> 10) KiB")
            }
        }
        let text = "\(judged) processes gained at most \(descriptors) descriptors and \(bytes >> 10) KiB"
        return Verdict(
            name: "I9 nothing grows", holds: complaints.isEmpty,
            text: ([text] + complaints).joined(separator: "; "))
    }

    /// By medians, so that no single moment decides.
    private static func gain(_ samples: [Sample]) -> (descriptors: Int, bytes: Int)? {
        guard let first = samples.first, let last = samples.last, samples.count >= 8, last.time - first.time > minAge
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
