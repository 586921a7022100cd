import Testing
import Web

@testable import WebService

@ConnectionThread struct AccessTests {
    private static let tokens = [
        AccessControl.Token("viewer-token-0123456", name: "wall", role: .viewer),
        AccessControl.Token("operator-token-01234", name: "ann", role: .operator),
        AccessControl.Token("admin-token-01234567", name: "root", role: .admin),
    ]

    private static func router(_ tokens: [AccessControl.Token]?) -> Router {
        @Sendable func answer(_: RouteRequest) -> Response { .text("done") }
        let routes: [Route] = [
            .get("/v1/look") { answer($0) }, .post("/v1/change") { answer($0) },
            .get("/v1/secret", .admin) { answer($0) },
            .receive("PATCH", "/v1/part/{id}") { request in MemoryBody(limit: 10) { _ in .text(request["id"]) } },
        ]
        return Router(
            routes, access: AccessControl(hosts: ["localhost", "127.0.0.1", "::1"], tokens: tokens),
            page: { _ in .text("the page") }, onError: { _, error in ServiceError(500, "internal", "\(error)") },
            onChange: { _, _, _ in }, onStop: {})
    }

    private static func status(_ router: Router, _ method: String, _ path: String, _ headers: [String: String]) -> Int {
        let fields = headers.map { Request.Field($0.key, $0.value) }
        switch router.handle(Request(method: method, path: path, headers: fields)) {
        case .respond(let response): return response.status
        case .receive(let receiver): return receiver.response().status
        }
    }

    @Test("Only requests for one of its names are answered", arguments: ["evil.example", "localhost.evil.example", ""])
    func host(name: String) {
        let router = Self.router(nil)
        for path in ["/", "/v1/look", "/v1/change"] {
            #expect(Self.status(router, "GET", path, ["Host": name]) == 421)
        }
        #expect(Self.status(router, "GET", "/v1/look", [:]) == 421)
        for name in ["localhost", "LOCALHOST:7420", "127.0.0.1:80", "[::1]:7420", "[::1]"] {
            #expect(Self.status(router, "GET", "/v1/look", ["Host": name]) == 200, "\(name)")
        }
    }

    @Test("A change requested by another site is refused, with any token")
    func origin() {
        for router in [Self.router(nil), Self.router(Self.tokens)] {
            for origin in ["http://evil.example", "null", "http://localhost:7420.evil.example", "localhost", ""] {
                let headers = [
                    "Host": "localhost:7420", "Origin": origin, "Authorization": "Bearer admin-token-01234567",
                ]
                #expect(Self.status(router, "POST", "/v1/change", headers) == 403, "\(origin)")
                #expect(Self.status(router, "PATCH", "/v1/part/1", headers) == 403, "\(origin)")
            }
            let cross = [
                "Host": "localhost", "Sec-Fetch-Site": "cross-site", "Authorization": "Bearer admin-token-01234567",
            ]
            #expect(Self.status(router, "POST", "/v1/change", cross) == 403)
            let own = [
                "Host": "localhost:7420", "Origin": "http://localhost:7420", "Sec-Fetch-Site": "same-origin",
                "Authorization": "Bearer admin-token-01234567",
            ]
            #expect(Self.status(router, "POST", "/v1/change", own) == 200)
        }
    }

    @Test("Each role may do what its rank allows, and without a token nothing is allowed")
    func roles() {
        let router = Self.router(Self.tokens)
        let table: [(token: String?, look: Int, change: Int, secret: Int)] = [
            (nil, 401, 401, 401), ("wrong-token-01234567", 401, 401, 401), ("viewer-token-0123456", 200, 403, 403),
            ("operator-token-01234", 200, 200, 403), ("admin-token-01234567", 200, 200, 200),
        ]
        for row in table {
            var headers = ["Host": "localhost"]
            if let token = row.token { headers["Authorization"] = "Bearer \(token)" }
            #expect(Self.status(router, "GET", "/v1/look", headers) == row.look)
            #expect(Self.status(router, "POST", "/v1/change", headers) == row.change)
            #expect(Self.status(router, "GET", "/v1/secret", headers) == row.secret)
            if let token = row.token {
                let cookie = ["Host": "localhost", "Cookie": "a=b; \(AccessControl.cookie)=\(token)"]
                #expect(Self.status(router, "GET", "/v1/look", cookie) == row.look)
            }
        }
        #expect(Self.status(router, "GET", "/", ["Host": "localhost"]) == 200, "the page asks for the token itself")
    }

    @Test("Unknown paths and methods are distinguished, and all responses forbid foreign scripts")
    func unknown() {
        let router = Self.router(nil)
        #expect(Self.status(router, "GET", "/v1/nothing", ["Host": "localhost"]) == 404)
        #expect(Self.status(router, "DELETE", "/v1/look", ["Host": "localhost"]) == 405)
        #expect(Self.status(router, "HEAD", "/v1/look", ["Host": "localhost"]) == 200)
        for path in ["/", "/v1/look", "/v1/nothing"] {
            let request = Request(path: path, headers: [.init("Host", "localhost")])
            let response =
                switch router.handle(request) {
                case .respond(let response): response
                case .receive(let receiver): receiver.response()
                }
            let policy = response.headers.first { $0.name == "Content-Security-Policy" }
            #expect(policy?.value.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';") == true)
        }
    }
}
