internal import CSandbox

/// Which layers of a sandbox this machine's kernel has. A container's own rules may hide some.
public struct SandboxFeatures: Hashable, Sendable {
    /// The version of Landlock's interface, from 1; 0 for none.
    public let landlockVersion: Int
    /// Whether system calls can be filtered.
    public let seccomp: Bool

    /// The parameters are the properties of the same names.
    public init(landlockVersion: Int, seccomp: Bool) {
        self.landlockVersion = landlockVersion
        self.seccomp = seccomp
    }

    /// As the kernel says.
    public static var available: SandboxFeatures {
        SandboxFeatures(landlockVersion: Int(rawmill_landlock_version()), seccomp: rawmill_has_seccomp() != 0)
    }

    /// What is missing, as a sentence for people with what follows; nil if nothing is.
    public var complaint: String? {
        switch (seccomp, landlockVersion > 0) {
        case (true, true): nil
        case (true, false):
            "This kernel has no Landlock, or the container forbids it: render processes are kept from files by the filter "
                + "of system calls alone."
        case (false, true):
            "This kernel has no seccomp, or the container forbids it: render processes are kept from files by Landlock, "
                + "and from nothing else."
        case (false, false):
            "This kernel has neither seccomp nor Landlock, or the container forbids them: a hostile file that takes over a "
                + "render process can do what the worker's user can."
        }
    }
}
