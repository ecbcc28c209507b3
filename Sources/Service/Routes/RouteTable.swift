internal import HTTP
internal import PolicyEngine
internal import Scenarios

/// Everything that can be asked of the service, in the order of the documentation: the only list of it.
enum RouteTable {
    static let routes: [Route] = [
        index, description, responseCode, token, health, attest, keys, metrics, outage, setOutage, backends,
        setBackends,
        clock, management,
    ]

    private static let index = Route(
        method: .get, path: "/", summary: "List what can be asked.",
        answers: [(200, "`requests`, each with `method`, `path` and `summary`")],
        result: .members([
            "requests": .list(.members(["method": .text, "path": .text, "summary": .text]))
        ])
    ) { _ in { _, _ in HTTPAnswer(.ordered([("requests", .array(routes.map(\.json)))])) } }

    private static let description = Route(
        method: .get, path: "/openapi.json", summary: "Describe the requests and their answers as OpenAPI 3.1.",
        answers: [(200, "The document")], result: .values(.anything)
    ) { _ in { service, _ in HTTPAnswer(json: ServiceDescription.openAPI(version: service.settings.version)) } }

    private static let responseCode = Route(
        method: .get, path: "/arc-info/", summary: "Decode an attestation response code.", access: .backend,
        headers: [Route.Parameter(name: "Arc", summary: "The code.", isRequired: true)],
        answers: [(200, "`status` and `deviceProperties`; a code that is not valid has the status `arc invalid`")],
        result: .members(["status": .text, "deviceProperties": .list(.text)]),
        needsPrimary: true
    ) { _ in { service, call in service.responseCodeAnswer(call.header("Arc") ?? "", at: call.time) } }

    private static let token = Route(
        method: .put, path: "/token-info/", summary: "Show the claims of a token, and report its misuse.",
        access: .backend,
        headers: [
            Route.Parameter(
                name: "Approov-Token", summary: "The token; expired ones are answered, too.", isRequired: true),
            Route.Parameter(
                name: "Report-Message", summary: "The report of the misuse, in at most 256 characters."),
        ],
        answers: [(200, "`did`, `status`, `claims`, `expiryTime` and `deviceProperties`, as far as they are known")],
        result: .members([
            "did?": .text, "status?": .text, "claims?": .anything, "expiryTime?": .text,
            "deviceProperties?": .list(.text),
        ]),
        needsPrimary: true
    ) { _ in
        { service, call throws(Refusal) in
            try service.tokenAnswer(
                call.header("Approov-Token") ?? "", report: call.header("Report-Message"), at: call.time)
        }
    }

    private static let health = Route(
        method: .get, path: "/healthcheck/{account}",
        summary:
            "Show the health of the primary service; the path has `att-` and the account's name, which may begin with `att-` itself.",
        answers: [(200, "`HealthState`: `passed` or `failed`"), (404, "Another account")],
        result: .members(["HealthState": .text])
    ) { _ in { service, call throws(Refusal) in try service.healthAnswer(of: call.name) } }

    private static let attest = Route(
        method: .post, path: "/attest", summary: "Decide on a device, and make its token.",
        query: [
            Route.Parameter(
                name: "domain",
                summary: "The API domain of the token, or a URL of it; needed unless the account has just one."),
            Route.Parameter(name: "data", summary: "The data that the app bound its tokens to."),
        ],
        body: Route.Body(
            summary: "A record of a capture without its time, or a device of the population by its group.",
            example: #"{"device-id":"h4gubfCFzJu81j/U2BJsdg==","public-flags":"rooted","appid":"com.example"}"#,
            type: "object"),
        answers: [
            (200, "`decision` and `token`"),
            (
                503,
                "The primary service has an outage and the failover has not taken over yet, or the state cannot be written"
            ),
        ],
        result: .members(["decision": .values(.anything), "token": .text])
    ) { call throws(Refusal) in
        let record = try AttestationRecord.record(call.request.body, in: call.population)
        return { service, call throws(Refusal) in
            try service.attest(record, domain: call.query("domain"), data: call.query("data"), at: call.time)
        }
    }

    private static let keys = Route(
        method: .get, path: "/.well-known/jwks.json", summary: "The public keys of the key set, as a JSON Web Key Set.",
        answers: [(200, "`keys`; shared secrets are never among them")],
        result: .members(["keys": .list(.values(.anything))])
    ) { _ in { service, _ in service.publicKeys } }

    private static let metrics = Route(
        method: .get, path: "/metrics", summary: "The metrics, in OpenMetrics.", answers: [(200, "OpenMetrics")],
        result: .metrics
    ) { _ in { service, _ in service.metrics } }

    private static let outageForm = AnswerForm.members(["primary": .boolean, "failover": .boolean, "limited": .boolean])
    private static let outageExample = #"{"primary":true}"#

    private static let outage = Route(
        method: .get, path: "/outage", summary: "Show which services have an outage.",
        answers: [(200, "`primary`, `failover` and `limited`")],
        result: outageForm
    ) { _ in { service, _ in HTTPAnswer(service.outage.json) } }

    private static let setOutage = Route(
        method: .put, path: "/outage",
        summary: "Set outages of the primary service and the failover, and whether requests of backends are limited.",
        body: Route.Body(summary: "The members that change.", example: outageExample, type: "object"),
        answers: [(200, "`primary`, `failover` and `limited`")],
        result: outageForm
    ) { call throws(Refusal) in
        let members = try RequestBody.object(call.request.body)
        return { service, call throws(Refusal) in try service.setOutage(members, at: call.time) }
    }

    private static let backends = Route(
        method: .get, path: "/backends",
        summary: "Show the certificates that API domains present, as far as they were set.",
        answers: [(200, "The chain of each domain")],
        result: .values(.list(.text))
    ) { _ in { service, _ in service.backends } }

    private static let setBackends = Route(
        method: .put, path: "/backends",
        summary: "Set the certificates that API domains present from now on; other domains keep theirs.",
        body: Route.Body(
            summary: "The chain of each domain, the leaf first: names of keys, or pins.",
            example: #"{"api.io":["LEAF","CA"]}"#, type: "object"),
        answers: [(200, "The chain of each domain")],
        result: .values(.list(.text))
    ) { call throws(Refusal) in
        let chains = try PresentedChains(try RequestBody.object(call.request.body))
        return { service, call throws(Refusal) in try service.setBackends(chains, at: call.time) }
    }

    private static let clock = Route(
        method: .post, path: "/clock", summary: "Move a virtual clock.",
        body: Route.Body(summary: "By how much.", example: #"{"advance":"5m"}"#, type: "object"),
        answers: [(200, "`time`"), (409, "The clock is the system's")],
        result: .members(["time": .text])
    ) { call throws(Refusal) in
        let members = try RequestBody.object(call.request.body)
        return { service, call throws(Refusal) in try service.moveClock(members, at: call.time) }
    }

    private static let management = Route(
        method: .post, path: "/approov", summary: "Carry out a management command.", access: .manager,
        query: [Route.Parameter(name: "confirm", summary: "`YES`, where the command has to be confirmed.")],
        body: Route.Body(
            summary: "The words of the command.", example: #"["policy","-set","default,allow-root,risk"]"#,
            type: "array"),
        answers: [
            (200, "`printed`, `reported` and `warnings`"), (403, "The role may not do that"),
            (409, "The command has to be confirmed"),
        ],
        result: .members([
            "printed": .list(.text), "reported": .list(.text), "warnings": .list(.text),
            "mail": .list(.members(["to": .list(.text), "subject": .text, "text": .text])),
        ]),
        needsPrimary: true
    ) { call throws(Refusal) in
        let given = try GivenCommand(words: try RequestBody.words(call.request.body))
        return { service, call throws(Refusal) in
            guard let manager = call.manager else { throw Refusal(401, "a management token is needed") }
            return try service.manage(given, by: manager, consent: call.query("confirm"), at: call.time)
        }
    }
}

extension Route {
    // The request in the list of requests.
    fileprivate var json: JSONValue {
        .ordered([
            ("method", .string(method.rawValue)), ("path", .string(path)), ("summary", .string(summary)),
        ])
    }
}

/// The body of `POST /attest` (R23.4).
enum AttestationRecord {
    /// The record that a body is, or names.
    ///
    /// - Parameters:
    ///   - body: A record of a capture as JSON without its time, or the group of a population.
    ///   - population: The devices that have groups.
    /// - Throws: ``Refusal``.
    static func record(_ body: [UInt8], in population: PopulationRecords?) throws(Refusal) -> [UInt8] {
        let members = try RequestBody.object(body)
        if members.contains(where: { $0.name == "time" }) {
            throw .badField("time", "the time is the clock's, so a record has none", hint: "leave `time` out")
        }
        guard let group = members.first(where: { $0.name == "group" }) else {
            if members.contains(where: { $0.name == "device-id" }) { return body }
            let group = population?.groups.first.map { "{\"group\": \"\($0)\"}" }
            throw .badField(
                "device-id", "the body names no device",
                hint: group.map { "such as \($0), or a record with `device-id`" } ?? "a record has `device-id`")
        }
        return try record(ofGroup: group.value, members, in: population)
    }

    private static func record(
        ofGroup value: JSONContent, _ members: [JSONMember], in population: PopulationRecords?
    ) throws(Refusal) -> [UInt8] {
        guard let population else {
            throw .badField("group", "there are no groups", hint: "`--population` names a scenario that has some")
        }
        guard let name = value.text, let devices = population[name] else {
            let names = population.groups.map { "`\($0)`" }.joined(separator: ", ")
            throw .badField("group", "there is no such group", hint: "there are \(names)")
        }
        for member in members where member.name != "group" && member.name != "number" {
            throw .badField(member.name.text, "a group has `number` besides, and nothing else")
        }
        let given = members.first { $0.name == "number" }?.value
        guard let number = given == nil ? 1 : given?.integer, (1...devices.count).contains(number) else {
            throw .badField("number", "the group has the devices 1 to \(devices.count)")
        }
        return devices[number - 1]
    }
}
