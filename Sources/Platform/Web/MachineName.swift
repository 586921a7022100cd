internal import Glibc

/// Names by which only somebody of the same network asks for this machine.
///
/// A browser sends a page's requests to whatever address the page's own name leads to (DNS rebinding), so that pages of strangers
/// could read what a server tells its network. Such a page has a name that its owner has registered.
public enum MachineName {
    /// Endings that nobody can register (RFC 6761, 6762, 8375, ICANN's .internal), and those of Kubernetes.
    private static let privateEndings = [
        ".localhost", ".local", ".internal", ".home.arpa", ".lan", ".test", ".svc", ".cluster.local",
    ]

    /// The first label of the machine's own name.
    private static let own: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return firstLabel(String(decoding: bytes, as: UTF8.self).lowercased())
    }()

    private static func firstLabel(_ name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Whether a request names an address, this machine, or a name that cannot be registered. One without a name, as only programs
    /// send it, does.
    public static func isPrivate(_ request: Request) -> Bool {
        let hosts = request.headers.filter { $0.name.lowercased() == "host" }
        guard hosts.count < 2 else { return false }
        guard let name = request.hostName else { return true }
        if !name.contains(".") || ListenAddress("\(name):0") != nil { return true }
        return privateEndings.contains { name.hasSuffix($0) } || !own.isEmpty && firstLabel(name) == own
    }
}

extension Request {
    /// The name in the header Host in lower case, without a port and without brackets; nil where there is none.
    public var hostName: String? {
        guard let host = header("host")?.lowercased() else { return nil }
        if host.first == "[" { return String(host.dropFirst().prefix { $0 != "]" }) }
        guard host.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 else { return host }
        return String(host.prefix { $0 != ":" })
    }
}
