package import HTTP
package import PolicyEngine
internal import Scenarios

// From a request to the route that answers it.
extension StandIn {
    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: The request; nothing in it was checked.
    ///   - real: The time of the system's clock.
    package mutating func answer(_ request: HTTPRequest, at real: Instant) -> HTTPAnswer {
        do throws(Refusal) {
            let routed = try RoutedRequest(request)
            let deed = try routed.route.reading(try admit(routed, at: real))
            return try deed(&self, try admit(routed, at: real))
        } catch {
            return error.answer
        }
    }

    /// Checks the caller's access, and that the service answers now.
    ///
    /// Keys come first, so that nobody without one learns what else is wrong.
    func admit(_ routed: RoutedRequest, at real: Instant) throws(Refusal) -> Route.Call {
        let (route, request, time) = (routed.route, routed.request, now(real))
        let authorization = request.headers(named: "Authorization").first ?? ""
        var manager: Manager?
        switch route.access {
        case .everybody: break
        case .backend:
            guard account.latest.apiKey.isShown(by: authorization) else { throw Self.unauthorized("the API key") }
        case .manager:
            manager = try self.manager(showing: authorization, at: time)
        }
        if route.needsPrimary, outage.primary { throw Refusal(503, "the primary service has an outage") }
        if route.access == .backend, outage.isLimited {
            var refusal = Refusal(429, "there are too many requests")
            refusal.headers = [HTTPRequest.Field("Retry-After", "60")]
            throw refusal
        }
        for header in route.headers where header.isRequired && request.headers(named: header.name).isEmpty {
            throw .badField(header.name, "the header `\(header.name)` is missing")
        }
        return Route.Call(
            request: request, population: settings.population, name: routed.name, time: time, manager: manager)
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
