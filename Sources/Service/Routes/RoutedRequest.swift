internal import HTTP

/// A request and the route that answers it, before anybody is asked whether it may (R23.6).
struct RoutedRequest: Sendable {
    let request: HTTPRequest
    let route: Route
    /// The text in the path that the braces match.
    let name: String

    /// Finds the route, and checks what it says of a request.
    init(_ request: HTTPRequest) throws(Refusal) {
        (route, name) = try Self.route(for: request)
        try Self.check(request, of: route)
        self.request = request
    }

    // `HEAD` is `GET` without the body, which the server leaves out.
    private static func route(for request: HTTPRequest) throws(Refusal) -> (Route, String) {
        if let fault = request.fault { throw fault }
        let method = request.method == "HEAD" ? "GET" : request.method
        var allowed: [String] = []
        for route in RouteTable.routes {
            guard let name = route.match(request.path) else { continue }
            if route.method.rawValue == method { return (route, name) }
            allowed.append(route.method.rawValue)
        }
        guard !allowed.isEmpty else {
            throw Refusal(404, "there is nothing at this path", hint: "`GET /` lists what there is")
        }
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
            throw .badField("body", "this request has no body")
        }
    }
}
