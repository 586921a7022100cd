import Arguments
import Glibc

/// `--umask MODE`: the permissions of files that a role creates. For containers, which cannot set it otherwise; a
/// systemd unit has `UMask=`.
enum UmaskOption {
    static let parameter: Parameter<ModeArgument?> = .optional(
        "umask", "MODE", environment: "RAWMILL_UMASK", group: "The cluster",
        help: """
            umask for new files and folders, in octal: 0002 lets their group change them. (default: the process's)
            """)

    /// Call it before anything is created.
    static func apply(_ values: ArgumentValues) {
        if let mode = values[parameter]?.mode { umask(mode) }
    }
}

struct ModeArgument: ArgumentValue {
    let mode: mode_t

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let mode = mode_t(String(decoding: argument, as: UTF8.self), radix: 8), mode <= 0o777 else {
            throw InvalidArgument("an octal mode: 0002, 022")
        }
        self.mode = mode
    }

    var argumentText: String { "0" + String(mode, radix: 8) }
}
