internal import Glibc

/// How much memory a process has.
enum MemoryGauge {
    /// Bytes resident now; nil for a process that is gone.
    static func residentBytes(of pid: pid_t) -> UInt64? {
        let file = open("/proc/\(pid)/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        guard count > 0 else { return nil }
        // "size resident shared …", in pages.
        let words = text[..<count].split(separator: UInt8(ascii: " "))
        guard words.count > 1, let pages = UInt64(String(decoding: words[1], as: UTF8.self)) else { return nil }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Memory of the whole machine.
    static var machineBytes: UInt64 {
        UInt64(max(0, sysconf(Int32(_SC_PHYS_PAGES)))) * UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
    }
}
