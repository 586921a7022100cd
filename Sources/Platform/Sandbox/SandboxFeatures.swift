internal import CSandbox

/// The sandbox layers that this kernel supports. A container's rules may hide some.
public struct SandboxFeatures: Hashable, Sendable {
    /// Landlock's ABI version, from 1; 0 if unsupported.
    public let landlockVersion: Int
    /// Whether seccomp is available.
    public let seccomp: Bool

    /// Features for tests; see ``available``.
    public init(landlockVersion: Int, seccomp: Bool) {
        self.landlockVersion = landlockVersion
        self.seccomp = seccomp
    }

    /// The features of the running kernel.
    public static var available: SandboxFeatures {
        SandboxFeatures(landlockVersion: Int(rawmill_landlock_version()), seccomp: rawmill_has_seccomp() != 0)
    }

    /// What is missing and the consequence, as a sentence; nil if nothing is missing.
    public var complaint: String? {
        switch (seccomp, landlockVersion > 0) {
        case (true, true): nil
        case (true, false):
            "This kernel has no Landlock, or the container forbids it: only the system call filter keeps render processes "
                + "from files."
        case (false, true):
            "This kernel has no seccomp, or the container forbids it: Landlock keeps render processes from files, but "
                + "system calls are not filtered."
        case (false, false):
            "This kernel has neither seccomp nor Landlock, or the container forbids them: a hostile file that takes over a "
                + "render process can do what the worker's user can."
        }
    }
}
