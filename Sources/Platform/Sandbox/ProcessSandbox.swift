internal import CSandbox
internal import Glibc

/// Irrevocably drops a process's rights before it reads untrusted files. Open descriptors stay usable; the process can
/// open no other files, start no programs, and reach no other process except through its descriptors.
///
/// Independent layers: resource limits, no new privileges, no capabilities, Landlock, and a system call filter. The
/// last two depend on the kernel, see ``SandboxFeatures``.
public struct ProcessSandbox: Hashable, Sendable {
    /// Limit of the address space, used or not.
    public let addressSpaceBytes: UInt64
    /// Limit of the size of a written file.
    public let maxFileBytes: UInt64

    /// The descriptors of one job, and a few more.
    private static let maxDescriptors: UInt64 = 64
    /// Threads on top of those that run on the machine. The kernel counts all of a user's processes together, so a
    /// lower limit could be reached through no fault of this process.
    private static let maxMoreThreads: UInt64 = 4096

    /// Creates a sandbox with these limits.
    public init(addressSpaceBytes: UInt64, maxFileBytes: UInt64) {
        self.addressSpaceBytes = addressSpaceBytes
        self.maxFileBytes = maxFileBytes
    }

    /// Enters the sandbox, for good. Throws `SandboxError` if the kernel refuses a layer it supports, or if the process
    /// has other threads, which would stay outside.
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

/// A sandbox layer that could not be set up.
public struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For example "Landlock".
    public let layer: String
    /// The system's `errno`.
    public let code: Int32

    /// Message without a full stop.
    public var description: String {
        "cannot enter the sandbox:  \(layer): \(unsafe String(cString: strerror(code)))"
    }
}
