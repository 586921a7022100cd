import Glibc

/// The processes of this machine, from /proc.
enum ProcessTable {
    static func children(of parent: Int32) -> [Int32] {
        all.filter { process in
            guard let text = read("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return false }
            let fields = text[end...].split(separator: " ")
            return fields.count > 2 && fields[1] != "Z" && Int32(fields[2]) == parent
        }
    }

    /// Processes with the text on their command line, except this one.
    static func processes(naming text: String) -> [Int32] {
        all.filter { $0 != getpid() && read("/proc/\($0)/cmdline")?.contains(text) == true }
    }

    /// Processes that were started with the variable, "NAME=VALUE", in their environment.
    static func processes(withVariable variable: String) -> [Int32] {
        all.filter { read("/proc/\($0)/environ")?.split(separator: "\0").contains { $0 == variable } == true }
    }

    static func descriptors(of process: Int32) -> Int { names("/proc/\(process)/fd").count }

    /// Resident bytes; nil if the process has ended.
    static func residentBytes(of process: Int32) -> Int? {
        // "size resident shared …", in pages.
        let pages = read("/proc/\(process)/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }

    private static var all: [Int32] { names("/proc").compactMap { Int32($0) } }

    private static func names(_ folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var found: [String] = []
        while let entry = unsafe readdir(stream) {
            unsafe found.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return found
    }

    private static func read(_ path: String) -> String? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
