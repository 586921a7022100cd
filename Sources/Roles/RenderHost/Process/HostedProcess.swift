internal import Clock
internal import Glibc
public import Processes

/// Why there is no process to work with.
public struct HostedProcessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For people, without a full stop.
    public let description: String
    /// True where the program is not installed. The description says what to do then.
    public let isProgramMissing: Bool

    /// - Parameter description: for people, without a full stop.
    public init(description: String, isProgramMissing: Bool = false) {
        self.description = description
        self.isProgramMissing = isProgramMissing
    }
}

/// A process that is to be in the sandbox, and the channel to it. Of this one's environment it gets what
/// ``RenderProcessEnvironment`` passes. It ends with the value.
public struct HostedProcess: ~Copyable {
    private let child: ChildProcess
    /// Messages to it and from it.
    public var channel: MessageChannel

    /// Starts a program, and waits for nothing.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: what follows its name. Every user of the machine sees them.
    ///   - inheritsStandardError: whether it writes to this one's standard error.
    public init(
        program: String, arguments: [String], inheritsStandardError: Bool = false,
        killHandle: ChildProcess.KillHandle = ChildProcess.KillHandle()
    ) throws(HostedProcessError) {
        guard let (ours, theirs) = MessageChannel.pair() else {
            throw HostedProcessError(description: "the system has no socket left")
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
                    ? "\(program) is not there: install Rawmill again, as a whole" : "\(program): \(error)",
                isProgramMissing: isMissing)
        }
        self.channel = channel
    }

    /// Waits until the process says by an empty message that it is warm.
    ///
    /// - Parameter limit: longest wait.
    /// - Throws: what it says instead, and if it says nothing or ends.
    public consuming func warm(within limit: Duration) throws(HostedProcessError) -> HostedProcess {
        switch channel.receive(milliseconds: Int32(clamping: limit.wholeMilliseconds), limit: 1 << 16) {
        case .message([]): return self
        case .message(let reason): throw HostedProcessError(description: String(decoding: reason, as: UTF8.self))
        case .nothingYet: throw HostedProcessError(description: "it did not get ready within \(limit)")
        case .ended: throw HostedProcessError(description: "it ended at once (\(child.wait()))")
        }
    }

    /// Its number.
    public var pid: Int32 { child.pid }

    /// Has the kernel end it when it has used so much processor time since its start.
    public func limitProcessorTime(_ time: Duration) { child.limitProcessorTime(time) }

    /// Kills it and waits until it is gone.
    public consuming func kill() -> ProcessEnd { child.kill() }

    /// Waits for a process that is about to exit by itself; kills it if that takes long.
    public consuming func wait() -> ProcessEnd { child.wait() }
}
