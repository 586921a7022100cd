internal import CProcesses
internal import Glibc

/// The operating system.
public enum OperatingSystem {
    /// For example "Debian GNU/Linux 13 (trixie)"; nil if unknown.
    public static var name: String? {
        guard let text = Machine.text(of: "/etc/os-release") else { return nil }
        return name(release: text)
    }

    /// The kernel's release, such as "6.12.38+deb13-amd64".
    public static var kernel: String {
        var facts = utsname()
        guard unsafe uname(&facts) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: &facts.release) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Whether the clock is synchronised, according to the kernel; nil if unknown.
    public static var clockIsSynchronised: Bool? {
        switch rawmill_clock_is_synchronised() {
        case 1: true
        case 0: false
        default: nil
        }
    }

    /// Paths of the loaded shared libraries, sorted.
    static var loadedLibraries: [String] {
        guard let text = Machine.text(of: "/proc/self/maps") else { return [] }
        return loadedLibraries(maps: text)
    }

    /// - Parameter text: content of os-release(5).
    static func name(release text: String) -> String? {
        let key = "PRETTY_NAME="
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        let value = line.dropFirst(key.count)
        let isQuoted = value.count >= 2 && value.first == value.last && (value.first == "\"" || value.first == "'")
        return String(isQuoted ? value.dropFirst().dropLast() : value)
    }

    /// - Parameter text: content of `/proc/PID/maps`, proc_pid_maps(5).
    static func loadedLibraries(maps text: String) -> [String] {
        let files = text.split(separator: "\n").compactMap { line -> String? in
            // The path is the last of six fields and may contain spaces.
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, let path = fields.last?.drop(while: { $0 == " " }), path.hasPrefix("/"),
                path.split(separator: "/").last?.contains(".so") == true
            else { return nil }
            return String(path)
        }
        return Set(files).sorted()
    }
}
