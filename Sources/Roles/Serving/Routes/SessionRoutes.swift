internal import Clock
internal import Coordinator
internal import JSON
internal import Jobs
internal import Telemetry
internal import Web
internal import WebService

/// Signs in, and describes the library, this program and the client's role.
struct SessionRoutes {
    let folder: String
    let access: AccessControl
    let version: String
    let cluster: ClusterOperations?

    var routes: [Route] {
        [.get("/v1/session") { session($0.client) }, .open("POST", "/v1/session") { try signIn($0) }]
    }

    private func session(_ client: AccessClient) -> Response {
        .json([
            "version": version, "library": folder.split(separator: "/").last.map(String.init) ?? folder,
            "role": client.role.rawValue, "mode": cluster != nil ? "cluster" : "library", "canConvert": true,
            "canEdit": cluster?.canChangeLibrary ?? true, "needsToken": access.needsToken,
            "rawExtensions": RawExtensions.all,
            "companionExtensions": CompanionName.extensions.sorted(),
        ])
    }

    /// Puts the token in a cookie that scripts cannot read.
    private func signIn(_ request: RouteRequest) throws(ServiceError) -> Response {
        guard let token = try request.json()["token"]?.text, access.client(token: token) != nil,
            token.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !",;\\\"".utf8.contains($0) })
        else { throw ServiceError(401, "wrong-token", "The token is not in the list of tokens.") }
        let secure = access.isEncrypted ? "; Secure" : ""
        return Response(
            status: 204, contentType: "application/json", body: [],
            headers: [
                .init(
                    "Set-Cookie",
                    "\(AccessControl.cookie)=\(token); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict\(secure)")
            ])
    }
}

struct AuditRoutes {
    let changes: ChangeLog

    var routes: [Route] {
        [.get("/v1/audit", .admin) { _ in .json(["entries": changes.newest.map(Self.fields)]) }]
    }

    private static func fields(_ entry: ChangeLog.Entry) -> JSONFields {
        [
            "time": WallClock.text(milliseconds: entry.milliseconds), "who": entry.client.name,
            "role": entry.client.role.rawValue, "action": entry.action, "detail": entry.detail,
            "status": entry.status,
        ]
    }
}
