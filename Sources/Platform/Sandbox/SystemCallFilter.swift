internal import CSeccomp
internal import Glibc

/// The system calls that a render process may make, enforced by seccomp(2) through libseccomp. Any other call kills the
/// process with SIGSYS.
///
/// The list holds the calls observed while rendering all kinds of files, and those that the C library may need: see
/// "The sandbox" in the documentation.
enum SystemCallFilter {
    static let allowed = [
        // Memory.
        "brk", "munmap", "mremap", "madvise",
        // Files that are already open.
        "read", "pread64", "write", "pwrite64", "writev", "ftruncate", "close", "fstat", "sync_file_range",
        // Threads, and waiting for them.
        "futex", "set_robust_list", "rseq", "gettid", "getpid", "exit", "exit_group", "sched_yield",
        "sched_getaffinity", "rt_sigprocmask", "rt_sigreturn",
        // Time and facts about the process.
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "getrusage", "getcpu",
        "sysinfo", "getrandom",
        // The channel to the worker, and resuming after SIGSTOP.
        "poll", "restart_syscall",
    ]

    /// Fail with an error instead of killing the process: the C library makes these calls unprompted (memory
    /// overcommit, number of processors, whether a stream is a terminal) and copes with failure.
    static let refused: [(name: String, error: Int32)] = [
        ("open", EACCES), ("openat", EACCES), ("newfstatat", EACCES), ("readlink", EACCES), ("access", EACCES),
        ("ioctl", ENOTTY),
        // glibc falls back to clone(2), whose arguments a filter can check.
        ("clone3", ENOSYS),
    ]

    private struct Rule {
        let name: String
        let conditions: [scmp_arg_cmp]
    }

    /// Allowed with these arguments only.
    private static var conditional: [Rule] {
        // As pthread_create(3) makes threads; a fork would lack CLONE_THREAD.
        let threadFlags = UInt64(0x3D_0F00)
        // PR_SET_NAME.
        let setName: UInt64 = 15
        let isNotExecutable = masked(2, UInt64(PROT_EXEC), 0)
        return [
            Rule(name: "mmap", conditions: [isNotExecutable]), Rule(name: "mprotect", conditions: [isNotExecutable]),
            Rule(name: "clone", conditions: [equal(0, threadFlags)]),
            // The channel.
            Rule(name: "sendmsg", conditions: [equal(0, 3)]), Rule(name: "recvmsg", conditions: [equal(0, 3)]),
            // The two signals glibc reserves: it installs their handlers with the first thread.
            Rule(name: "rt_sigaction", conditions: [equal(0, 32)]),
            Rule(name: "rt_sigaction", conditions: [equal(0, 33)]),
            // abort(3).
            Rule(name: "tgkill", conditions: [equal(0, UInt64(getpid()))]),
            // Naming a thread.
            Rule(name: "prctl", conditions: [equal(0, setName)]),
            // Reading a limit, not setting one.
            Rule(name: "prlimit64", conditions: [equal(0, 0), equal(2, 0)]),
        ]
    }

    static func load() throws(SandboxError) {
        guard let filter = unsafe seccomp_init(SCMP_ACT_KILL_PROCESS) else {
            throw SandboxError(layer: "system calls", code: ENOMEM)
        }
        defer { unsafe seccomp_release(filter) }
        // The default since Linux 5.16. No part of this process has secrets from another part, so it does not need the
        // Spectre mitigation that slows down loads.
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1))
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS))
        for name in allowed { try unsafe add(filter, SCMP_ACT_ALLOW, name, []) }
        for (name, error) in refused { try unsafe add(filter, errnoAction(error), name, []) }
        for rule in conditional { try unsafe add(filter, SCMP_ACT_ALLOW, rule.name, rule.conditions) }
        try check(unsafe seccomp_load(filter))
    }

    private static func add(
        _ filter: scmp_filter_ctx, _ action: UInt32, _ name: String, _ conditions: [scmp_arg_cmp]
    ) throws(SandboxError) {
        let number = unsafe seccomp_syscall_resolve_name(name)
        // Other processors lack some calls: `open` and `time` are x86 only.
        guard number >= 0 else { return }
        try check(
            unsafe conditions.withUnsafeBufferPointer { conditions in
                unsafe seccomp_rule_add_array(
                    filter, action, number, UInt32(conditions.count), conditions.baseAddress)
            })
    }

    private static func errnoAction(_ error: Int32) -> UInt32 { 0x0005_0000 | UInt32(error) & 0xFFFF }

    private static func equal(_ argument: UInt32, _ value: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
    }

    private static func masked(_ argument: UInt32, _ mask: UInt64, _ value: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }

    /// libseccomp returns a negative `errno`.
    private static func check(_ result: Int32) throws(SandboxError) {
        guard result == 0 else { throw SandboxError(layer: "system calls", code: -result) }
    }
}

/// The loaded libseccomp.
public enum SystemCallFilterLibrary {
    /// For example "2.5.4"; nil if unknown.
    public static var version: String? {
        guard let version = unsafe seccomp_version() else { return nil }
        return unsafe "\(version.pointee.major).\(version.pointee.minor).\(version.pointee.micro)"
    }
}
