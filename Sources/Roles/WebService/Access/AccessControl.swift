internal import Digest
internal import Synchronization
public import Web

/// What somebody may do. Each may do what those before it may.
public enum AccessRole: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Looks.
    case viewer
    /// Changes photos and batches.
    case `operator`
    /// Reads who changed what.
    case admin

    /// Who may do less comes first.
    public static func < (a: AccessRole, b: AccessRole) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .admin: 2
        }
    }
}

/// Who asks.
public struct AccessClient: Hashable, Sendable {
    /// The name that goes with the token; "local" where none is asked for.
    public let name: String
    /// What it may do.
    public let role: AccessRole
}

/// Decides who may ask for what.
///
/// A browser sends a page's requests to whatever address a name leads to (DNS rebinding), and sends changes that other sites
/// ask for (cross-site request forgery): so a request has to name this server by one of its own names, and a change has to
/// come from its own page, or from a program, which names no page.
public struct AccessControl: Sendable {
    /// A token and whose it is.
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
    /// Nil where everybody is let in.
    private let tokens: [Token]?

    /// - Parameters:
    ///   - hosts: the names under which it is reached, without ports.
    ///   - tokens: those that are let in; nil for everybody, who then may do everything.
    ///   - isEncrypted: whether clients reach it by HTTPS.
    public init(hosts: [String], tokens: [Token]?, isEncrypted: Bool = false) {
        self.isEncrypted = isEncrypted
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.tokens = tokens
    }

    /// Whether clients reach it by HTTPS alone.
    public let isEncrypted: Bool

    /// Whether a token is needed.
    public var needsToken: Bool { tokens != nil }

    /// - Throws: `ServiceError` with status 421 for a name that is not this server's.
    func checkHost(of request: Request) throws(ServiceError) {
        guard let hosts else { return }
        guard let host = request.hostName, hosts.contains(host),
            request.headers.count(where: { $0.name.lowercased() == "host" }) == 1
        else {
            throw ServiceError(
                421, "wrong-host", "This server is not known by that name.",
                remedy: "Open it by its address, or start it with --allow-host NAME.")
        }
    }

    /// The client that sent a request.
    ///
    /// - Parameters:
    ///   - role: the least one that the request needs; nil for a request that needs no token.
    ///   - isChange: whether the request has to come from the page itself or from a program.
    /// - Throws: `ServiceError` with status 401 without a valid token, 403 for a role that may not, or for another site's page.
    func client(of request: Request, with role: AccessRole?, isChange: Bool) throws(ServiceError) -> AccessClient {
        if isChange { try checkOrigin(of: request) }
        guard let role else { return client(of: request) ?? AccessClient(name: "nobody", role: .viewer) }
        guard let client = client(of: request) else {
            throw ServiceError(
                401, "needs-token", "A token is needed.", remedy: "Give one of those in the server's token file.",
                headers: [.init("WWW-Authenticate", "Bearer")])
        }
        guard client.role >= role else {
            throw ServiceError(
                403, "not-allowed", "\(client.name) is a \(client.role.rawValue); this needs \(role.rawValue).")
        }
        return client
    }

    /// Who asks; nil without a valid token where one is needed.
    public func client(of request: Request) -> AccessClient? {
        guard let tokens else { return AccessClient(name: "local", role: .admin) }
        guard let text = Self.token(in: request) else { return nil }
        return client(token: text, of: tokens)
    }

    /// Whose token it is; nil if it is nobody's.
    public func client(token: String) -> AccessClient? { tokens.flatMap { client(token: token, of: $0) } }

    /// Digests are compared, so that no time tells how much of a guess was right.
    private func client(token: String, of tokens: [Token]) -> AccessClient? {
        let digest = SHA256Value(of: Array(token.utf8))
        return tokens.first { $0.digest == digest }?.client
    }

    /// The name of the cookie that holds the token of the page.
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

    /// A program that is no browser sends no origin.
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
        403, "other-site", "Changes are taken only from this server's own page, or from programs.")
}
