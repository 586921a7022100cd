internal import Glibc

/// Address to listen on: `127.0.0.1:9464`, `[::1]:9464`, or `:9464` for all IPv4 and IPv6 addresses.
///
/// Host names are not accepted: resolving them could delay the start or give an unexpected address.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// IP address without brackets; empty for all addresses.
    public let host: String
    /// The port; 0 for any free one.
    public let port: UInt16

    /// Parses an address; nil if invalid.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
        else { return nil }
        var host = text[..<colon]
        if host.first == "[" {
            guard host.last == "]" else { return nil }
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        self.host = String(host)
        self.port = port
        guard unsafe withSocketAddress({ _, _ in true }) != nil else { return nil }
    }

    /// The loopback address.
    public static func thisMachine(port: UInt16) -> ListenAddress { ListenAddress(loopback: port) }

    private init(loopback port: UInt16) {
        host = "127.0.0.1"
        self.port = port
    }

    /// As `init` reads it.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Calls `body` with the socket address, valid during the call, and whether it is IPv6. Nil if the host is not an
    /// IP address.
    func withSocketAddress<Value>(_ body: (UnsafePointer<sockaddr>, Bool) -> Value) -> Value? {
        if host.isEmpty || host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            if !host.isEmpty, unsafe inet_pton(AF_INET6, host, &address.sin6_addr) != 1 { return nil }
            return unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, true) }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, false) }
        }
    }
}

/// Why a server could not start.
public enum WebError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system refused the address, for the given reason.
    case cannotListen(ListenAddress, String)
    /// The certificate or its key is invalid, or they do not match.
    case unusableCertificate

    /// Cause and remedy.
    public var description: String {
        switch self {
        case .cannotListen(let address, let why):
            "cannot listen on \(address): \(why). Choose another address, or stop the program that uses this one."
        case .unusableCertificate:
            "the certificate or its key cannot be used. Both must be PEM files, and they must match."
        }
    }
}
