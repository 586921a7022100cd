import CAttacks
import Foundation
import Glibc
import Jobs
import Processes
import RenderHost
import Sandbox
import Testing

@testable import Worker

extension ProcessTests {
    /// The remaining abilities of code that took over a render process. `hostile-process` enters the same sandbox by
    /// the same function.
    @Suite struct SandboxTests {
        private static let features = SandboxFeatures.available

        /// The barrier that stopped an attack.
        enum Barrier: Hashable {
            /// The kernel ended the process.
            case ended(Int32)
            /// The call failed with this error.
            case refused(Int32)
            /// No barrier: it succeeded.
            case none
        }

        /// Targets of the attacks: the test's own files and process.
        private final class Target {
            let folder: String
            var file: String { folder + "/library.sqlite" }
            let secret: UnsafeMutablePointer<UInt64>
            private let listener: Int32
            let port: Int32

            init() throws {
                folder = FileManager.default.temporaryDirectory.path + "/rawmill-hostile-\(UUID())"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                secret = .allocate(capacity: 1)
                secret.initialize(to: 42)
                listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                let door = listener
                port = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = Glibc.bind(door, $0, size)
                        _ = listen(door, 64)
                        _ = getsockname(door, $0, &size)
                    }
                    return Int32(UInt16(bigEndian: pointer.pointee.sin_port))
                }
                try renew()
            }

            deinit {
                close(listener)
                secret.deallocate()
                try? FileManager.default.removeItem(atPath: folder)
            }

            func renew() throws { try Data("rows".utf8).write(to: URL(fileURLWithPath: file)) }

            /// Whether the files are unchanged.
            var isUntouched: Bool {
                let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
                return names == ["library.sqlite"] && FileManager.default.contents(atPath: file) == Data("rows".utf8)
            }
        }

        /// Starts the hostile process as a worker starts a render process, and waits for its answer or its end.
        private func answer(
            _ attack: String, _ layers: String = "all", on target: Target,
            while running: (ChildProcess.KillHandle, borrowing ChildProcess) throws -> Void = { _, _ in }
        ) throws -> (text: String?, end: ProcessEnd) {
            let (ours, theirs) = try #require(MessageChannel.pair())
            defer { close(ours) }
            let program = URL(fileURLWithPath: WorkerFixture.program).deletingLastPathComponent()
                .appending(path: "hostile-process").path
            let handle = ChildProcess.KillHandle()
            let child = try ChildProcess.start(
                program: program,
                arguments: [
                    attack, layers, target.file, target.folder, "\(getpid())", "\(UInt(bitPattern: target.secret))",
                    "\(target.port)",
                ], channel: theirs, inheritsStandardError: false, killHandle: handle,
                passing: RenderProcessEnvironment.passes)
            close(theirs)
            try running(handle, child)
            var state = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
            #expect(poll(&state, 1, 60_000) == 1, "\(attack): no answer and no end within a minute")
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(ours, &bytes, bytes.count)
            guard count > 0 else { return (nil, child.wait()) }
            let text = String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .newlines)
            return (text, child.kill())
        }

        private func barrier(_ attack: String, _ layers: String = "all", on target: Target) throws -> Barrier {
            try target.renew()
            let (text, end) = try answer(attack, layers, on: target)
            guard let text else {
                guard case .signalled(let signal) = end else { return .none }
                return .ended(signal)
            }
            let number = try #require(Int32(text), "\(attack): \(text)")
            try #require(number >= 0, "there is no attack \(attack)")
            return number == 0 ? .none : .refused(number)
        }

        private static let allAttacks = (0..<rawmill_attack_count).compactMap { index in
            rawmill_attack_name(index).map { String(cString: $0) }
        }

        /// Calls that a render process needs.
        private static let work: Set = ["start_thread", "allocate", "write_given_file"]
        /// Calls that the kernel refuses instead of ending the process, because the C library makes them itself.
        private static let refused: [String: Int32] = [
            "read_file": EACCES, "write_file": EACCES, "read_accounts": EACCES, "create_file": EACCES,
            "create_unnamed_file": EACCES, "list_folder": EACCES, "look_at_file": EACCES,
            "read_parents_memory_file": EACCES, "read_parents_environment": EACCES, "type_into_terminal": ENOTTY,
            "take_memory": ENOMEM,
        ]
        private static let limits: [String: Int32] = ["write_large_file": SIGXFSZ]

        @Test(
            "Every attack of code in a render process ends it or is refused, and nothing is touched",
            .enabled(if: features.seccomp))
        func attacks() throws {
            let target = try Target()
            for attack in Self.allAttacks where attack != "compute_for_ever" {
                let expected: Barrier =
                    if Self.work.contains(attack) {
                        .none
                    } else if let error = Self.refused[attack] {
                        .refused(error)
                    } else {
                        .ended(Self.limits[attack] ?? SIGSYS)
                    }
                #expect(try barrier(attack, on: target) == expected, "\(attack)")
                #expect(target.isUntouched, "\(attack)")
            }
        }

        @Test(
            "Landlock alone blocks every file, the network and other processes",
            .enabled(if: features.landlockVersion > 0))
        func landlock() throws {
            let target = try Target()
            for attack in [
                "read_file", "write_file", "read_accounts", "create_file", "create_unnamed_file", "list_folder",
                "open_by_other_call", "delete_file", "rename_file", "link_file", "make_folder",
                "read_parents_memory", "read_parents_memory_file", "read_parents_environment", "trace_parent",
            ] {
                let barrier = try barrier(attack, "landlock", on: target)
                #expect(
                    [.refused(EACCES), .refused(EPERM), .refused(EXDEV)].contains(barrier), "\(attack): \(barrier)")
                #expect(target.isUntouched, "\(attack)")
            }
            if Self.features.landlockVersion >= 3 {
                #expect(try barrier("truncate_file", "landlock", on: target) == .refused(EACCES))
            }
            if Self.features.landlockVersion >= 4 {
                #expect(try barrier("connect_out", "landlock", on: target) == .refused(EACCES))
                #expect(try barrier("listen_for_others", "landlock", on: target) == .refused(EACCES))
            }
            if Self.features.landlockVersion >= 6 {
                #expect(try barrier("signal_parent", "landlock", on: target) == .refused(EPERM))
            }
            #expect(target.isUntouched)
        }

        @Test(
            "Without Landlock in the kernel, the system call filter alone blocks files",
            .enabled(if: features.seccomp))
        func systemCalls() throws {
            let target = try Target()
            for attack in ["read_file", "write_file", "create_file", "read_parents_memory_file"] {
                #expect(try barrier(attack, "system-calls", on: target) == .refused(EACCES), "\(attack)")
            }
            for attack in ["open_by_other_call", "delete_file", "connect_out", "start_process", "read_parents_memory"] {
                #expect(try barrier(attack, "system-calls", on: target) == .ended(SIGSYS), "\(attack)")
            }
            #expect(target.isUntouched)
        }

        @Test("Without the sandbox the same attacks succeed, so it is the sandbox that stops them")
        func withoutSandbox() throws {
            let target = try Target()
            for attack in [
                "read_file", "write_file", "read_accounts", "list_folder", "look_at_file", "open_by_other_call",
                "connect_out", "listen_for_others", "start_process", "signal_parent", "run_memory", "take_memory",
                "write_large_file", "raise_limits", "rename_file",
            ] {
                #expect(try barrier(attack, "none", on: target) == .none, "\(attack)")
            }
        }

        @Test("A process that computes longer than its job may is ended", .enabled(if: features.seccomp))
        func processorTime() throws {
            let target = try Target()
            let (text, end) = try answer("compute_for_ever", on: target) { _, child in
                child.limitProcessorTime(.milliseconds(1))
            }
            #expect(text == nil && end == .signalled(SIGXCPU))
        }

        @Test("It has no potentially secret variable of the worker's environment, and no descriptor but its own")
        func inherited() throws {
            setenv("RAWMILL_KAFKA_SASL_PASSWORD", "secret", 1)
            defer { unsetenv("RAWMILL_KAFKA_SASL_PASSWORD") }
            let extra = open("/etc/passwd", O_RDONLY)
            defer { close(extra) }
            let target = try Target()
            let names = try #require(try answer("environment", on: target).text).split(separator: " ").map(String.init)
            #expect(
                !names.isEmpty && names.allSatisfy { $0 == "SWIFT_BACKTRACE" || RenderProcessEnvironment.passes($0) })
            #expect(try answer("descriptors", on: target).text == "0 1 2 3")
        }

        @Test(
            "A ready render process has no privileges, no capabilities, and a system call filter",
            .enabled(if: features.seccomp))
        func status() async throws {
            let fixture = try await WorkerFixture()
            let slot = try fixture.slot()
            try await slot.warm()
            let pid = try #require(renderProcesses().first)
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            for line in ["NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000", "CapPrm:\t0000000000000000"] {
                #expect(status.contains(line + "\n"), "\(line)")
            }
            let job = try fixture.job(try fixture.sample(1))
            guard case .replied = await slot.render(job, deadline: .seconds(60)) else {
                Issue.record("it does not render")
                return
            }
            await slot.retire()
        }

        @Test("A job whose process broke its rules fails permanently, with its own reason")
        func reason() async throws {
            let fixture = try await WorkerFixture()
            let job = try fixture.job(try fixture.sample(1))
            let violation = WorkerState.AttemptResult(.died(.signalled(SIGSYS)), of: job)
            guard case .failed(let failure, _) = violation else {
                Issue.record("\(violation)")
                return
            }
            #expect(failure.reason == .sandboxViolation && failure.reason.verdict == .reject)
            #expect(failure.signal == SIGSYS && failure.message.contains("\(job.source.raw.file)"))
            guard
                case .failed(let late, let maxRetries) = WorkerState.AttemptResult(.died(.signalled(SIGXCPU)), of: job)
            else {
                Issue.record("not failed")
                return
            }
            #expect(late.reason == .timeout && maxRetries == 1)
        }
    }
}
