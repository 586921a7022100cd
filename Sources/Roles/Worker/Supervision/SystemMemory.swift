internal import Glibc

enum SystemMemory {
    /// A process's current resident set, in bytes; nil if the process is gone.
    static func residentBytes(of pid: pid_t) -> UInt64? {
        let file = unsafe open("/proc/\(pid)/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(file, &text, text.count)
        guard count > 0 else { return nil }
        // "size resident shared …", in pages: proc(5).
        let fields = text[..<count].split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = UInt64(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
