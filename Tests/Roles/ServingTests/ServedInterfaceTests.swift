import Foundation
import Testing
import Web
import WebService

@testable import Serving

/// The routes of `rawmill serve`, each compared with its description and its access rights.
@Suite("serve: the interface") struct ServedInterfaceTests {
    private static let tokens: [AccessRole: String] = [
        .viewer: "viewer-token-0123456", .operator: "operator-token-01234", .admin: "admin-token-01234567",
    ]

    private let workspace: LibraryFolder
    private let router: Router

    init() async throws {
        workspace = try LibraryFolder()
        let access = AccessControl(
            hosts: ["localhost"],
            tokens: Self.tokens.map { AccessControl.Token($0.value, name: $0.key.rawValue, role: $0.key) })
        router = try await workspace.served(access).router
    }

    /// The status of a refusal; nil if the route answers the request.
    private func refusal(_ route: Route, _ headers: [String: String]) -> Int? {
        let parts = route.pattern.split(separator: "/").map { $0.first == "{" ? "nothing" : String($0) }
        let request = Request(
            method: route.method, path: "/" + parts.joined(separator: "/"),
            headers: headers.map { .init($0.key, $0.value) })
        switch router.handle(request) {
        case .receive: return nil
        // Routes with a streamed body may refuse it at once for other reasons.
        case .respond(let response): return [401, 403, 421].contains(response.status) ? response.status : nil
        }
    }

    @Test("The description has every route with its parameters and role, and no other")
    func described() async throws {
        let response = await router.answer(
            Request(
                path: "/v1/openapi.json",
                headers: [.init("Host", "localhost"), .init("Authorization", "Bearer viewer-token-0123456")]))
        #expect(response.contentType == "application/json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let described = paths.flatMap { path, operations in
            operations.map { method, operation in
                let parameters = (operation["parameters"] as? [[String: Any]] ?? [])
                    .filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String }
                let isOpen = (operation["security"] as? [Any])?.isEmpty == true
                return [
                    method.uppercased(), path, operation["x-role"] as? String ?? "", isOpen ? "open" : "",
                    parameters.joined(separator: ","),
                ].joined(separator: " ")
            }
        }
        let routes = router.routes.map { route in
            let parameters = route.pattern.split(separator: "/").filter { $0.first == "{" }.map {
                String($0.dropFirst().dropLast())
            }
            let isOpen = route.pattern == "/v1/session" && route.method == "POST"
            return [
                route.method, route.pattern, route.access.rawValue, isOpen ? "open" : "",
                parameters.joined(separator: ","),
            ].joined(separator: " ")
        }
        #expect(Set(described).subtracting(routes).sorted() == [], "described, but not there")
        #expect(Set(routes).subtracting(described).sorted() == [], "not described, or otherwise")
        #expect(Set(routes).count == routes.count)
    }

    @Test("Every route wants one of the server's names, a token, and a role that may")
    func guarded() {
        for route in router.routes {
            let asked = "\(route.method) \(route.pattern)"
            for role in AccessRole.allCases {
                let token = "Bearer \(Self.tokens[role] ?? "")"
                for host in ["evil.example", "localhost.evil.example", ""] {
                    #expect(refusal(route, ["Host": host, "Authorization": token]) == 421, "\(asked) at \(host)")
                }
                let isOpen = route.pattern == "/v1/session" && route.method == "POST"
                let expected = role >= route.access || isOpen ? nil : 403
                #expect(refusal(route, ["Host": "localhost", "Authorization": token]) == expected, "\(asked): \(role)")
                let cookie = "\(AccessControl.cookie)=\(Self.tokens[role] ?? "")"
                #expect(refusal(route, ["Host": "localhost", "Cookie": cookie]) == expected, "\(asked): \(role)")
                if !isOpen {
                    for wrong in ["Bearer nonsense-0123456", "Bearer ", "Basic \(token.dropFirst(7))"] {
                        #expect(refusal(route, ["Host": "localhost", "Authorization": wrong]) == 401, "\(asked)")
                    }
                    #expect(refusal(route, ["Host": "localhost"]) == 401, "\(asked)")
                }
            }
        }
    }

    @Test("No route with changes can be called by another site's page")
    func ownPage() {
        for route in router.routes {
            let asked = "\(route.method) \(route.pattern)"
            func refusal(_ headers: [String: String]) -> Int? {
                let known = ["Host": "localhost:7420", "Authorization": "Bearer admin-token-01234567"]
                return self.refusal(route, known.merging(headers) { $1 })
            }
            let isQuestion = ["GET", "HEAD", "OPTIONS"].contains(route.method)
            for foreign in ["http://evil.example", "null", "http://localhost:7421", "http://localhost:7420.evil"] {
                #expect(refusal(["Origin": foreign]) == 403 || isQuestion, "\(asked) from \(foreign)")
            }
            #expect(refusal(["Sec-Fetch-Site": "cross-site"]) == 403 || isQuestion, "\(asked)")
            #expect(refusal(["Origin": "http://localhost:7420", "Sec-Fetch-Site": "same-origin"]) == nil, "\(asked)")
        }
    }
}
