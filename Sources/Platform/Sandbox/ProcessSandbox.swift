internal import CSandbox
internal import Glibc

/// What a process gives up for good before it looks into a file of unknown origin. What it has open stays open; it can open
/// nothing else, start no program, and reach no other process but by the descriptors that it has.
///
/// Each layer holds by itself: resource limits, no new privileges, no capabilities, Landlock, and a filter of system calls.
/// The last two are in force where the kernel has them, see ``SandboxFeatures``.
public struct ProcessSandbox: Hashable, Sendable {
    /// The most memory that the process can ask for, whether it uses it or not.
    public let addressSpaceBytes: UInt64
    /// The largest file that it can write.
    public let maxFileBytes: UInt64

    /// Descriptors: those of one job, and a few.
    private static let maxDescriptors: UInt64 = 64
    /// Threads beyond those that ran on the whole machine. The kernel counts those of all processes of a user together, so a
    /// lower limit could be reached without any fault of this process.
    private static let maxMoreThreads: UInt64 = 4096

    /// The parameters are the properties of the same names.
    public init(addressSpaceBytes: UInt64, maxFileBytes: UInt64) {
        self.addressSpaceBytes = addressSpaceBytes
        self.maxFileBytes = maxFileBytes
    }

    /// Enters the sandbox. There is no way out.
    ///
    /// - Parameter features: those of the kernel that are used.
    /// - Throws: `SandboxError` if the kernel refuses a layer that it has, or the process has threads, which would stay
    ///   outside.
    public func enter(_ features: SandboxFeatures = .available) throws(SandboxError) {
        guard rawmill_thread_count() <= 1 else { throw SandboxError(layer: "threads", code: EBUSY) }
        rawmill_use_utc()
        let limits: [(rawmill_limit, UInt64)] = [
            (rawmill_limit_core, 0), (rawmill_limit_address_space, addressSpaceBytes),
            (rawmill_limit_file_size, maxFileBytes), (rawmill_limit_descriptors, Self.maxDescriptors),
            (rawmill_limit_processes, rawmill_process_count() + Self.maxMoreThreads),
        ]
        for (limit, value) in limits { try Self.check("limits", rawmill_set_limit(limit, value)) }
        try Self.check("no new privileges", rawmill_set_no_new_privileges())
        try Self.check("capabilities", rawmill_drop_capabilities())
        if features.landlockVersion > 0 {
            try Self.check("Landlock", rawmill_landlock_deny_all(Int32(features.landlockVersion)))
        }
        if features.seccomp { try SystemCallFilter.load() }
    }

    private static func check(_ layer: String, _ result: Int32) throws(SandboxError) {
        guard result == 0 else { throw SandboxError(layer: layer, code: errno) }
    }
}

/// A layer of a sandbox is not in force.
public struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which layer: "Landlock".
    public let layer: String
    /// The system's error number.
    public let code: Int32

    /// For people, without a full stop.
    public var description: String {
        "the sandbox is not closed: \(layer): \(unsafe String(cString: strerror(code)))"
    }
}
