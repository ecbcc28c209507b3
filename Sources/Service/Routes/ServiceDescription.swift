internal import HTTP
internal import PolicyEngine

/// The documentation of the service as OpenAPI 3.1, from the table by which it answers.
package enum ServiceDescription {
    /// The whole document as JSON, newline included.
    ///
    /// - Parameter version: The version of the tool.
    package static func openAPI(version: String) -> String {
        JSONValue.ordered([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .ordered([
                    ("title", .string("Simulated service of an account")), ("version", .string(version)),
                ])
            ),
            // The service that answers with the document.
            ("servers", .array([.ordered([("url", .string("/"))])])), ("paths", paths),
            (
                "components",
                .ordered([
                    ("schemas", .ordered([("refusal", AnswerForm.refusal.schema)])),
                    ("securitySchemes", securitySchemes),
                ])
            ),
        ]).indented()
    }

    private static var paths: JSONValue {
        var paths: [(key: String, value: JSONValue)] = []
        for path in RouteTable.routes.map(\.path) where !paths.contains(where: { $0.key == path }) {
            let routes = RouteTable.routes.filter { $0.path == path }
            paths.append((path, .ordered(routes.map { ($0.method.rawValue.lowercased(), operation($0)) })))
        }
        return .ordered(paths)
    }

    private static var securitySchemes: JSONValue {
        let bearer = JSONValue.ordered([("type", .string("http")), ("scheme", .string("bearer"))])
        return .ordered([("apiKey", bearer), ("managementToken", bearer)])
    }

    private static func operation(_ route: Route) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("operationId", .string(name(of: route))), ("summary", .string(route.summary)),
        ]
        let parameters =
            names(in: route.path).map { parameter(Route.Parameter(name: $0, summary: "", isRequired: true), "path") }
            + route.query.map { parameter($0, "query") } + route.headers.map { parameter($0, "header") }
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let body = route.body { members.append(("requestBody", self.body(body))) }
        members.append(("responses", .ordered(answers(route))))
        if let scheme = scheme(route) {
            members.append(("security", .array([.ordered([(scheme, .array([]))])])))
        }
        return .ordered(members)
    }

    /// The name of a request for programs that are made from the document: `putTokenInfo`.
    static func name(of route: Route) -> String {
        let words = route.path.split { !$0.isLetter }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return route.method.rawValue.lowercased() + (words.isEmpty ? "Index" : words.joined())
    }

    private static func names(in path: String) -> [String] {
        path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
    }

    private static func parameter(_ parameter: Route.Parameter, _ location: String) -> JSONValue {
        .ordered([
            ("name", .string(parameter.name)), ("in", .string(location)), ("required", .boolean(parameter.isRequired)),
            ("description", .string(parameter.summary)), ("schema", .ordered([("type", .string("string"))])),
        ])
    }

    private static func body(_ body: Route.Body) -> JSONValue {
        let example = (try? JSONParser.parse(Array(body.example.utf8)))?.json ?? .null
        let schema = JSONValue.ordered([("type", .string(body.type)), ("examples", .array([example]))])
        return .ordered([
            ("description", .string(body.summary)), ("required", .boolean(true)),
            ("content", .ordered([(HTTPAnswer.json, .ordered([("schema", schema)]))])),
        ])
    }

    private static func scheme(_ route: Route) -> String? {
        switch route.access {
        case .everybody: nil
        case .backend: "apiKey"
        case .manager: "managementToken"
        }
    }

    /// The statuses that a route may answer with.
    static func statuses(of route: Route) -> [Int] { statements(of: route).map(\.status) }

    private static func answers(_ route: Route) -> [(key: String, value: JSONValue)] {
        statements(of: route).map { status, summary in
            let reference = JSONValue.ordered([("$ref", .string("#/components/schemas/refusal"))])
            let (mediaType, schema) =
                status == 200 ? (route.result.mediaType, route.result.schema) : (HTTPAnswer.json, reference)
            let content = JSONValue.ordered([(mediaType, .ordered([("schema", schema)]))])
            return ("\(status)", .ordered([("description", .string(summary)), ("content", content)]))
        }
    }

    // Those of the route, then those that follow from what it is.
    private static func statements(of route: Route) -> [(status: Int, summary: String)] {
        var answers = route.answers
        func add(_ status: Int, _ summary: String) {
            if !answers.contains(where: { $0.status == status }) { answers.append((status, summary)) }
        }
        add(400, "Something is wrong with a field; `error`, `field` and `hint` say what")
        if route.access != .everybody { add(401, "No key, or a wrong one") }
        add(403, "A page in a browser")
        if route.body != nil { add(413, "The body has more than \(HTTPRequest.bodyLimit) bytes") }
        add(421, "Another host than the one that answers")
        if route.access == .backend { add(429, "Too many requests") }
        if route.needsPrimary { add(503, "The primary service has an outage") }
        return answers.sorted { $0.status < $1.status }
    }
}
