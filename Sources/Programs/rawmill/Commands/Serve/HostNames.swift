import Glibc
import Worker

/// The names of this machine in its networks.
enum HostNames {
    static var ofThisMachine: [String] {
        var names = [WorkerSettings.hostName.lowercased()]
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return names }
        defer { unsafe freeifaddrs(first) }
        var next = unsafe first
        while let entry = unsafe next {
            unsafe next = unsafe entry.pointee.ifa_next
            guard let address = unsafe entry.pointee.ifa_addr else { continue }
            let family = Int32(unsafe address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                unsafe getnameinfo(
                    address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            names.append(String(name.prefix { $0 != "%" }))
        }
        return names
    }
}
