public import Web

/// Dispatches requests to a service's routes. A request must name the service by one of its names, come from its own
/// page or a program, and have a sufficient role.
public final class Router: RequestHandler {
    /// All routes, in the order of their precedence.
    public let routes: [Route]
    private let access: AccessControl
    private let page: @Sendable (Request) -> Response
    private let onStop: @Sendable () -> Void
    private let onError: @Sendable (Request, any Error) -> ServiceError
    private let onChange: @Sendable (RouteRequest, Route, Response) -> Void

    /// - Parameters:
    ///   - page: answers GET requests without a route.
    ///   - onError: maps other errors of routes to responses.
    ///   - onChange: receives each change that its route made or refused.
    public init(
        _ routes: [Route], access: AccessControl, page: @escaping @Sendable (Request) -> Response,
        onError: @escaping @Sendable (Request, any Error) -> ServiceError,
        onChange: @escaping @Sendable (RouteRequest, Route, Response) -> Void, onStop: @escaping @Sendable () -> Void
    ) {
        self.routes = routes
        self.access = access
        self.page = page
        self.onError = onError
        self.onChange = onChange
        self.onStop = onStop
    }

    /// Ends streams.
    public func stop() { onStop() }

    /// Answers a request, if necessary with an error.
    public func handle(_ request: Request) -> RequestAction {
        do throws(ServiceError) {
            return try action(for: request)
        } catch {
            return .respond(secured(error.response))
        }
    }

    private func action(for request: Request) throws(ServiceError) -> RequestAction {
        try access.checkHost(of: request)
        let isGet = ["GET", "HEAD"].contains(request.method)
        guard request.path.hasPrefix("/v1") else {
            guard isGet, !request.announcesBody else { throw Self.notAllowed(["GET", "HEAD"]) }
            return .receive(MemoryBody(limit: 0) { [self] _ in secured(page(request)) })
        }
        let parts = request.path.split(separator: "/")
        let method = request.method == "HEAD" && !hasRoute("HEAD", parts) ? "GET" : request.method
        let matching = routes.compactMap { route in route.parameters(of: parts).map { (route, $0) } }
        guard !matching.isEmpty else {
            throw ServiceError(
                404, "no-such-route", "\(request.path) does not exist.")
        }
        guard let (route, parameters) = matching.first(where: { $0.0.method == method }) else {
            throw Self.notAllowed(matching.map(\.0.method))
        }
        let client = try access.client(
            of: request, with: route.isOpen ? nil : route.access, isChange: route.isChange)
        func routed(_ body: [UInt8]) -> RouteRequest {
            RouteRequest(request: request, parameters: parameters, client: client, body: body)
        }
        switch route.action {
        case .answer(let limit, let answer):
            if limit == 0, request.announcesBody {
                throw ServiceError(413, "no-body-here", "This request must not have a body.")
            }
            return .receive(
                MemoryBody(limit: limit, refusal: secured(Self.tooLong(limit).response)) { [self] body in
                    let routed = routed(body)
                    let result = Blocking.result { try await answer(routed) }
                    return finished(result, routed, route)
                })
        case .receive(let receiver):
            let routed = routed([])
            do { return .receive(RoutedBody(try receiver(routed), self, routed, route)) } catch {
                return .respond(finished(.failure(error), routed, route))
            }
        }
    }

    private static func tooLong(_ limit: Int) -> ServiceError {
        ServiceError(413, "too-long", "The request is longer than \(limit) bytes.")
    }

    private func hasRoute(_ method: String, _ parts: [Substring]) -> Bool {
        routes.contains { $0.method == method && $0.parameters(of: parts) != nil }
    }

    private static func notAllowed(_ methods: [String]) -> ServiceError {
        let allowed = methods.joined(separator: ", ")
        return ServiceError(
            405, "method-not-allowed", "Only \(allowed) is allowed here.", headers: [.init("Allow", allowed)])
    }

    fileprivate func finished(_ result: Result<Response, any Error>, _ request: RouteRequest, _ route: Route)
        -> Response
    {
        let response: Response
        switch result {
        case .success(let made): response = made
        case .failure(let error):
            response = ((error as? ServiceError) ?? onError(request.request, error)).response
        }
        if route.isChange { onChange(request, route, response) }
        return secured(response)
    }

    /// Keeps a page that shows foreign names from running foreign code, and other sites from embedding it.
    private func secured(_ response: Response) -> Response {
        var response = response
        response.headers += [
            .init(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
                    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
            .init("Referrer-Policy", "no-referrer"), .init("Cross-Origin-Resource-Policy", "same-origin"),
            .init("Cross-Origin-Opener-Policy", "same-origin"), .init("X-Frame-Options", "DENY"),
        ]
        return response
    }
}

private final class RoutedBody: BodyReceiver {
    private let receiver: any BodyReceiver
    private let router: Router
    private let request: RouteRequest
    private let route: Route

    init(_ receiver: any BodyReceiver, _ router: Router, _ request: RouteRequest, _ route: Route) {
        self.receiver = receiver
        self.router = router
        self.request = request
        self.route = route
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Response? {
        unsafe receiver.receive(bytes).map { router.finished(.success($0), request, route) }
    }

    func response() -> Response { router.finished(.success(receiver.response()), request, route) }
    func abandon() { receiver.abandon() }
}
