internal import Clock
internal import Glibc
public import Processes

/// Why a process could not be started.
public struct HostedProcessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Without a full stop.
    public let description: String
    /// Whether the program is not installed. The description then contains the remedy.
    public let isProgramMissing: Bool

    /// - Parameter description: without a full stop.
    public init(description: String, isProgramMissing: Bool = false) {
        self.description = description
        self.isProgramMissing = isProgramMissing
    }
}

/// A process to be sandboxed, and its channel. Its environment is limited by ``RenderProcessEnvironment``. It ends with
/// the value.
public struct HostedProcess: ~Copyable {
    private let child: ChildProcess
    /// Messages to and from the process.
    public var channel: MessageChannel

    /// Starts a program without waiting. Its arguments are visible to every user of the machine.
    public init(
        program: String, arguments: [String], inheritsStandardError: Bool = false,
        killHandle: ChildProcess.KillHandle = ChildProcess.KillHandle()
    ) throws(HostedProcessError) {
        guard let (ours, theirs) = MessageChannel.pair() else {
            throw HostedProcessError(description: "cannot create a socket: too many are open")
        }
        let channel = MessageChannel(owning: ours)
        defer { close(theirs) }
        do throws(SpawnError) {
            child = try ChildProcess.start(
                program: program, arguments: arguments, channel: theirs, inheritsStandardError: inheritsStandardError,
                killHandle: killHandle, passing: RenderProcessEnvironment.passes)
        } catch {
            let isMissing = error.code == ENOENT
            throw HostedProcessError(
                description: isMissing
                    ? "\(program) is missing: reinstall Rawmill" : "\(program): \(error)",
                isProgramMissing: isMissing)
        }
        self.channel = channel
    }

    /// Waits for the empty message that reports that the process is warm. Throws the reason that it sends instead, and
    /// if it sends nothing or ends.
    public consuming func warm(within limit: Duration) throws(HostedProcessError) -> HostedProcess {
        switch channel.receive(milliseconds: Int32(clamping: limit.wholeMilliseconds), limit: 1 << 16) {
        case .message([]): return self
        case .message(let reason): throw HostedProcessError(description: String(decoding: reason, as: UTF8.self))
        case .nothingYet: throw HostedProcessError(description: "it was not ready within \(limit)")
        case .ended: throw HostedProcessError(description: "it exited immediately (\(child.wait()))")
        }
    }

    /// The process's number.
    public var pid: Int32 { child.pid }

    /// Sets the processor time since its start after which the kernel ends it.
    public func limitProcessorTime(_ time: Duration) { child.limitProcessorTime(time) }

    /// Kills it and waits for its end.
    public consuming func kill() -> ProcessEnd { child.kill() }

    /// Waits for a process that is about to exit; kills it if that takes too long.
    public consuming func wait() -> ProcessEnd { child.wait() }
}
