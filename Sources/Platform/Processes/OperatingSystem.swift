internal import CProcesses
internal import Glibc

/// The system that this process runs on.
public enum OperatingSystem {
    /// As the system calls itself: "Debian GNU/Linux 13 (trixie)"; nil if it does not.
    public static var name: String? {
        guard let text = Machine.text(of: "/etc/os-release") else { return nil }
        return name(release: text)
    }

    /// The kernel's version: "6.12.38+deb13-amd64".
    public static var kernel: String {
        var facts = utsname()
        guard unsafe uname(&facts) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: &facts.release) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Whether something keeps the clock right, as the kernel says; nil if it does not say.
    public static var clockIsSynchronised: Bool? {
        switch rawmill_clock_is_synchronised() {
        case 1: true
        case 0: false
        default: nil
        }
    }

    /// The files of the shared libraries that this process has loaded, sorted.
    static var loadedLibraries: [String] {
        guard let text = Machine.text(of: "/proc/self/maps") else { return [] }
        return loadedLibraries(maps: text)
    }

    /// - Parameter text: os-release(5).
    static func name(release text: String) -> String? {
        let key = "PRETTY_NAME="
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        let value = line.dropFirst(key.count)
        let isQuoted = value.count >= 2 && value.first == value.last && (value.first == "\"" || value.first == "'")
        return String(isQuoted ? value.dropFirst().dropLast() : value)
    }

    /// - Parameter text: `/proc/PID/maps`, proc_pid_maps(5).
    static func loadedLibraries(maps text: String) -> [String] {
        let files = text.split(separator: "\n").compactMap { line -> String? in
            // The path is the last of six fields, and may hold spaces.
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, let path = fields.last?.drop(while: { $0 == " " }), path.hasPrefix("/"),
                path.split(separator: "/").last?.contains(".so") == true
            else { return nil }
            return String(path)
        }
        return Set(files).sorted()
    }
}
