public import Foundation
internal import Glibc

/// A control group with a limit, removed with the object. Its processes must have ended by then.
public final class ControlGroup {
    private let folder: String

    /// The limits of a group. Each needs its own group, because version 1 has a hierarchy for each.
    public enum Limit: Sendable {
        /// Microseconds of processor time in 100 milliseconds.
        case processor(microseconds: Int)
        case memory(bytes: Int)

        fileprivate var controller: String {
            switch self {
            case .processor: "cpu"
            case .memory: "memory"
            }
        }

        /// Name and content of each file to write.
        fileprivate func files(versionTwo: Bool) -> [(name: String, content: String)] {
            switch self {
            case .processor(let time) where versionTwo: [("cpu.max", "\(time) 100000")]
            case .processor(let time): [("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "\(time)")]
            case .memory(let bytes): [(versionTwo ? "memory.max" : "memory.limit_in_bytes", "\(bytes)")]
            }
        }
    }

    /// - Throws: if this process may not create the group.
    public init(_ limit: Limit) throws {
        let top = "/sys/fs/cgroup"
        let versionTwo = FileManager.default.fileExists(atPath: "\(top)/cgroup.controllers")
        folder = (versionTwo ? top : "\(top)/\(limit.controller)") + "/rawmill-\(UUID().uuidString)"
        guard mkdir(folder, 0o755) == 0 else { throw POSIXError(.EACCES) }
        for (name, content) in limit.files(versionTwo: versionTwo) {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/\(name)"))
            try handle.write(contentsOf: Data(content.utf8))
            try handle.close()
        }
    }

    /// The kernel refuses while a process is in the group, and for a moment after it ended.
    deinit {
        for _ in 0..<1000 {
            if rmdir(folder) == 0 || errno != EBUSY { return }
            usleep(10_000)
        }
    }

    /// A process that will run a program in the group.
    public func process(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "echo $$ > \(folder)/cgroup.procs && exec \"$@\"", "sh", program] + arguments
        return process
    }

    static let isPossible: Bool = {
        (try? ControlGroup(.processor(microseconds: 100_000))) != nil
            && (try? ControlGroup(.memory(bytes: 1 << 30))) != nil
    }()
}
