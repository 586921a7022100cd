internal import Glibc

/// The computer this process runs on.
package enum Machine {
    /// Cores this process may use. A container or `taskset` can make them fewer than the machine has.
    package static var cores: Int {
        let online = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        guard let file = unsafe fopen("/proc/self/status", "re") else { return online }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix("Cpus_allowed:") else { continue }
            // A mask of hexadecimal digits, in groups with commas.
            let allowed = text.dropFirst(13).compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
            return max(1, min(allowed, online))
        }
        return online
    }
}
