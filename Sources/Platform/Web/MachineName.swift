internal import Glibc

/// Host names that can only reach this machine from its own network. Checking `Host` against them stops DNS rebinding,
/// in which a site lets its own registered name resolve to this server to read its responses.
public enum MachineName {
    /// Suffixes that cannot be registered (RFC 6761, 6762, 8375, ICANN's .internal), and those of Kubernetes.
    private static let privateEndings = [
        ".localhost", ".local", ".internal", ".home.arpa", ".lan", ".test", ".svc", ".cluster.local",
    ]

    /// First label of the machine's host name.
    private static let own: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return firstLabel(String(decoding: bytes, as: UTF8.self).lowercased())
    }()

    private static func firstLabel(_ name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Whether `Host` is missing, an IP address, this machine's name, or a name that cannot be registered. Only
    /// programs send requests without `Host`.
    public static func isPrivate(_ request: Request) -> Bool {
        let hosts = request.headers.filter { $0.name.lowercased() == "host" }
        guard hosts.count < 2 else { return false }
        guard let name = request.hostName else { return true }
        if !name.contains(".") || ListenAddress("\(name):0") != nil { return true }
        return privateEndings.contains { name.hasSuffix($0) } || !own.isEmpty && firstLabel(name) == own
    }
}

extension Request {
    /// The `Host` header in lower case, without port and brackets; nil if missing.
    public var hostName: String? {
        guard let host = header("host")?.lowercased() else { return nil }
        if host.first == "[" { return String(host.dropFirst().prefix { $0 != "]" }) }
        guard host.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 else { return host }
        return String(host.prefix { $0 != ":" })
    }
}
