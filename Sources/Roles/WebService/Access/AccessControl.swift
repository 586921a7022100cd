internal import Digest
internal import Synchronization
public import Web

/// A client's permissions. Each role includes those before it.
public enum AccessRole: String, Hashable, Sendable, CaseIterable, Comparable {
    case viewer
    /// Changes photos and batches.
    case `operator`
    /// Reads the log of changes.
    case admin

    /// Orders roles by permissions.
    public static func < (a: AccessRole, b: AccessRole) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .admin: 2
        }
    }
}

/// The sender of a request.
public struct AccessClient: Hashable, Sendable {
    /// The token's name; "local" if the server needs no tokens.
    public let name: String
    /// The token's role; `admin` if the server needs no tokens.
    public let role: AccessRole
}

/// Decides which clients may make which requests.
///
/// A browser sends a page's requests to any address that a name resolves to (DNS rebinding), and changes that other
/// sites request (cross-site request forgery). Therefore a request must name this server by one of its names, and a
/// change must come from its own page, or from a program, which sends no origin.
public struct AccessControl: Sendable {
    /// A token and its client.
    public struct Token: Hashable, Sendable {
        let digest: SHA256Value
        let client: AccessClient

        /// - Parameter text: the token, a secret.
        public init(_ text: String, name: String, role: AccessRole) {
            digest = SHA256Value(of: Array(text.utf8))
            client = AccessClient(name: name, role: role)
        }
    }

    /// Lower-case names without ports; nil for any.
    private let hosts: Set<String>?
    private let tokens: [Token]?

    /// - Parameters:
    ///   - hosts: the server's names, without ports.
    ///   - tokens: the accepted tokens; nil gives every client all permissions.
    public init(hosts: [String], tokens: [Token]?, isEncrypted: Bool = false) {
        self.isEncrypted = isEncrypted
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.tokens = tokens
    }

    /// Whether all clients use HTTPS.
    public let isEncrypted: Bool

    /// Whether a token is needed.
    public var needsToken: Bool { tokens != nil }

    /// Throws `ServiceError` with status 421 for a name that is not this server's.
    func checkHost(of request: Request) throws(ServiceError) {
        guard let hosts else { return }
        guard let host = request.hostName, hosts.contains(host),
            request.headers.count(where: { $0.name.lowercased() == "host" }) == 1
        else {
            throw ServiceError(
                421, "wrong-host", "This server does not accept that host name.",
                remedy: "Use its IP address, or start it with --allow-host NAME.")
        }
    }

    /// The client that sent a request, which must have at least the role, and come from the page itself or from a
    /// program if `isChange`. Throws `ServiceError` with status 401 without a valid token, or 403 for an insufficient
    /// role or another site's page.
    func client(of request: Request, with role: AccessRole?, isChange: Bool) throws(ServiceError) -> AccessClient {
        if isChange { try checkOrigin(of: request) }
        guard let role else { return client(of: request) ?? AccessClient(name: "nobody", role: .viewer) }
        guard let client = client(of: request) else {
            throw ServiceError(
                401, "needs-token", "This request needs an access token.",
                remedy: "Use one from the server's token file.",
                headers: [.init("WWW-Authenticate", "Bearer")])
        }
        guard client.role >= role else {
            throw ServiceError(
                403, "not-allowed", "\(client.name) has the role \(client.role.rawValue); this needs \(role.rawValue).")
        }
        return client
    }

    /// The sender of a request; nil without a valid token where one is needed.
    public func client(of request: Request) -> AccessClient? {
        guard let tokens else { return AccessClient(name: "local", role: .admin) }
        guard let text = Self.token(in: request) else { return nil }
        return client(token: text, of: tokens)
    }

    /// The client of a token; nil for an unknown one.
    public func client(token: String) -> AccessClient? { tokens.flatMap { client(token: token, of: $0) } }

    /// Compares digests, so that timing reveals nothing about a guess.
    private func client(token: String, of tokens: [Token]) -> AccessClient? {
        let digest = SHA256Value(of: Array(token.utf8))
        return tokens.first { $0.digest == digest }?.client
    }

    /// Name of the cookie with the page's token.
    public static let cookie = "rawmill_token"

    private static func token(in request: Request) -> String? {
        if let value = request.header("authorization"), value.lowercased().hasPrefix("bearer ") {
            return String(value.dropFirst(7))
        }
        guard let cookies = request.header("cookie") else { return nil }
        for cookie in cookies.split(separator: ";") {
            let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == Self.cookie { return String(parts[1]) }
        }
        return nil
    }

    /// Programs other than browsers send no origin.
    private func checkOrigin(of request: Request) throws(ServiceError) {
        if let site = request.header("sec-fetch-site"), !["same-origin", "none"].contains(site) {
            throw Self.otherSite
        }
        guard let origin = request.header("origin") else { return }
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        guard let host = request.header("host"), parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty,
            parts[2].lowercased() == host.lowercased()
        else { throw Self.otherSite }
    }

    private static let otherSite = ServiceError(
        403, "other-site", "Changes are accepted only from this server's own page or from programs.")
}
