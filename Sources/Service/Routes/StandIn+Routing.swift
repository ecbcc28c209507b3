package import PolicyEngine
internal import Scenarios

// From a request to the route that answers it.
extension StandIn {
    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: Whatever somebody sent.
    ///   - real: What the system's clock says.
    package mutating func answer(_ request: HTTPRequest, at real: Instant) -> HTTPAnswer {
        do throws(Refusal) {
            let (route, name) = try Self.route(for: request)
            try Self.check(request, of: route)
            let time = now(real)
            let manager = try admit(request, to: route, at: time)
            return try route.action(&self, Route.Call(request: request, name: name, time: time, manager: manager))
        } catch {
            return error.answer
        }
    }

    // `HEAD` is `GET` without the body, which the server leaves out.
    private static func route(for request: HTTPRequest) throws(Refusal) -> (Route, String) {
        if request.isMalformed { throw Refusal(400, "the head of the request is not UTF-8") }
        let method = request.method == "HEAD" ? "GET" : request.method
        var allowed: [String] = []
        for route in RouteTable.routes {
            guard let name = route.match(request.path) else { continue }
            if route.method.rawValue == method { return (route, name) }
            allowed.append(route.method.rawValue)
        }
        guard !allowed.isEmpty else { throw Refusal(404, "there is nothing at this path") }
        let list = allowed.joined(separator: ", ")
        var refusal = Refusal(405, "the method is not allowed here", hint: "it is \(list)")
        refusal.headers = [HTTPRequest.Field("Allow", list)]
        throw refusal
    }

    private static func check(_ request: HTTPRequest, of route: Route) throws(Refusal) {
        // A page in a browser says where it is from. None has a reason to ask, and some might ask for tokens.
        guard request.headers(named: "Origin").isEmpty else {
            throw Refusal(403, "pages in browsers are not answered", field: "Origin")
        }
        guard !request.isTooLong else {
            throw Refusal(413, "the body has more than \(HTTPRequest.bodyLimit) bytes", field: "body")
        }
        for field in request.query {
            guard route.query.contains(where: { $0.name == field.name }) else {
                let names = route.query.map { "`\($0.name)`" }.joined(separator: ", ")
                throw .badField(
                    field.name, "there is no such parameter", hint: names.isEmpty ? nil : "there are \(names)")
            }
            guard request.query.count(where: { $0.name == field.name }) == 1 else {
                throw .badField(field.name, "the parameter is given twice")
            }
        }
        for header in ["Authorization"] + route.headers.map(\.name) where request.headers(named: header).count > 1 {
            throw .badField(header, "the header is given twice")
        }
        guard route.body != nil || request.body.isEmpty else {
            throw .badField("body", "there is nothing to be said in a body here")
        }
    }

    // Keys first, so that nobody without one learns what else is wrong.
    private func admit(_ request: HTTPRequest, to route: Route, at time: Instant) throws(Refusal) -> Manager? {
        let authorization = request.headers(named: "Authorization").first ?? ""
        var manager: Manager?
        switch route.access {
        case .everybody: break
        case .backend:
            guard account.latest.apiKey.isShown(by: authorization) else { throw Self.unauthorized("the API key") }
        case .manager:
            manager = try self.manager(showing: authorization, at: time)
        }
        if route.needsPrimary, outage.primary { throw Refusal(503, "the primary service is out") }
        if route.access == .backend, outage.isLimited {
            var refusal = Refusal(429, "there are too many requests")
            refusal.headers = [HTTPRequest.Field("Retry-After", "60")]
            throw refusal
        }
        for header in route.headers where header.isRequired && request.headers(named: header.name).isEmpty {
            throw .badField(header.name, "the header `\(header.name)` is missing")
        }
        return manager
    }

    // R24.2. The API key of an account with users manages nothing; of one without, nobody else could.
    private func manager(showing authorization: String, at time: Instant) throws(Refusal) -> Manager {
        let latest = account.latest
        if latest.users == nil, latest.apiKey.isShown(by: authorization) { return Manager() }
        let scheme = "Bearer "
        guard authorization.hasPrefix(scheme) else { throw Self.unauthorized("a management token") }
        do throws(AccessError) {
            let token = String(authorization.dropFirst(scheme.count))
            return Manager(user: try ManagementToken.user(of: token, account: latest, at: time))
        } catch {
            var refusal = Self.unauthorized("a management token")
            if error == .ended { refusal.hint = error.description }
            throw refusal
        }
    }

    private static func unauthorized(_ what: String) -> Refusal {
        var refusal = Refusal(401, "`Authorization: Bearer` with \(what) is needed", field: "Authorization")
        refusal.headers = [HTTPRequest.Field("WWW-Authenticate", "Bearer")]
        return refusal
    }
}
