import Foundation
import Testing

@testable import HTTP
@testable import PolicyEngine
@testable import Service
@testable import TestSupport

/// Questions of backends to the service, answered as the manual prints it.
@Suite struct QuestionTests {
    private static let flags = "app-not-registered,rooted,root-risk,xposed"

    // Manual, Attestation Response Code: the same flags, with keys of our own.
    private static let properties = """
        "deviceProperties": [
            "app-not-registered",
            "rooted",
            "root-risk",
            "xposed",
            "new-did",
            "risky-device"
          ]
        """

    @Test("R23.1 a response code is answered as printed") func aResponseCodeIsAnsweredAsPrinted() throws {
        var bench = try ServiceBench()
        let code = try bench.attest(Self.flags).code
        let answer = bench.send("GET /arc-info/", headers: ["Arc": code])
        expect(answer.status, equals: 200)
        expect(
            answer.text,
            equals: """
                {
                  "status": "failed",
                  \(Self.properties)
                }

                """)
    }

    @Test("R23.1 a code of another account is invalid") func aCodeOfAnotherAccountIsInvalid() throws {
        var bench = try ServiceBench()
        var other = try ServiceBench("account: other\narc: on\n")
        let code = try other.attest(query: "?domain=my.api.io").code
        for code in [code, "XJEUXVAKZY", "", "no code at all"] {
            let answer = bench.send("GET /arc-info/", headers: ["Arc": code])
            expect(answer.status, equals: 200)
            expect(answer.member("status"), equals: "arc invalid", "\(code)")
        }
    }

    // Manual, Obtaining Additional Token Information, with a comma behind the time, which the manual forgets.
    @Test("R23.2 a token is answered as printed") func aTokenIsAnsweredAsPrinted() throws {
        var bench = try ServiceBench()
        let attested = try bench.attest(Self.flags)
        // 15:31:02, two minutes of a device at risk and ten seconds of grace.
        let expiry = 1_607_527_862 + 130
        expect(
            bench.send("PUT /token-info/", headers: ["Approov-Token": attested.token]).text,
            equals: """
                {
                  "did": "qZka0yfv+ExvOq3PRh6pGw==",
                  "status": "failed",
                  "claims": {
                    "arc": "\(attested.code)",
                    "did": "qZka0yfv+ExvOq3PRh6pGw==",
                    "exp": \(expiry),
                    "ip": "1.2.3.4"
                  },
                  "expiryTime": "2020-12-09 15:33:12 UTC",
                  \(Self.properties)
                }

                """)
        // An expired token says the same.
        let before = bench.send("PUT /token-info/", headers: ["Approov-Token": attested.token])
        bench.time = bench.time + 86_400
        expect(bench.send("PUT /token-info/", headers: ["Approov-Token": attested.token]), equals: before)
    }

    @Test("R23.2 an encrypted token is read whether the device passed or not")
    func anEncryptedTokenIsReadWhetherTheDevicePassedOrNot() throws {
        var bench = try ServiceBench(
            "account: a\narc: on\napis: [{domain: my.api.io, alg: A256GCMKW}]\n")
        for (flags, status) in [("", "passed"), ("rooted", "failed")] {
            let token = try bench.attest(flags).token
            expect(token.split(separator: ".", omittingEmptySubsequences: false).count, equals: 5)
            let answer = bench.send("PUT /token-info/", headers: ["Approov-Token": token])
            expect(answer.member("did"), equals: ServiceBench.device)
            expect(answer.member("status"), equals: status)
        }
    }

    @Test("R23.2 a token without a code has no status of its own") func aTokenWithoutACodeHasNoStatusOfItsOwn() throws {
        var bench = try ServiceBench("account: a\narc: off\napis: [{domain: my.api.io}]\n")
        let answer = bench.send("PUT /token-info/", headers: ["Approov-Token": try bench.attest("rooted").token])
        expect(answer.member("status"), equals: "arc invalid")
        expect(answer.member("did"), equals: ServiceBench.device)
    }

    // Manual, Healthcheck Endpoint. Whoever is answered is answered by a service that is ready.
    @Test("R23.3 health follows the outage") func healthFollowsTheOutage() throws {
        var bench = try ServiceBench()
        let health = { (bench: inout ServiceBench) in
            bench.send("GET /healthcheck/att-my-account").member("HealthState")
        }
        expect(bench.send("GET /healthcheck/att-my-account").text, equals: "{\n  \"HealthState\": \"passed\"\n}\n")
        expect(bench.send("PUT /outage", #"{"primary":true}"#).status, equals: 200)
        expect(health(&bench), equals: "failed")
        bench.time = bench.time + 60
        expect(health(&bench), equals: "failed")
        expect(bench.send("PUT /outage", #"{"primary":false,"failover":true}"#).status, equals: 200)
        expect(health(&bench), equals: "passed")
        expect(bench.send("GET /healthcheck/att-other").status, equals: 404)
    }

    @Test("R23.3, R25.1 names with that beginning stay") func namesThatBeginSoAlreadyStayAsTheyAre() throws {
        var bench = try ServiceBench("account: att-mine\n")
        expect(bench.send("GET /healthcheck/att-mine").status, equals: 200)
        expect(bench.send("GET /healthcheck/att-att-mine").status, equals: 404)
        // R25.1: the URL that the account gets is the one that is answered.
        let told = bench.send("POST /approov", #"["monitoring","-getHealthCheckURL"]"#).text
        #expect(told.contains("/healthcheck/att-mine\""), "\(told)")
    }

    // A key file has a key of its own; else the key follows from the account's name.
    @Test("R23.1 the key is the accounts own") func theKeyIsTheAccountsOwn() throws {
        var bench = try ServiceBench("account: my-account\narc: on\n") {
            $0.account.keys.apiKey = APIKey(raw: "a-key-of-sixteen")
        }
        let headers = ["Arc": "XJEUXVAKZY", "Authorization": "Bearer a-key-of-sixteen"]
        expect(bench.send("GET /arc-info/", headers: headers, isAuthorized: false).status, equals: 200)
        expect(bench.send("GET /arc-info/", headers: ["Arc": "XJEUXVAKZY"]).status, equals: 401)
    }

    struct WrongKey: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let authorization: String?
    }

    static let wrongKeys = [
        WrongKey(testDescription: "none", authorization: nil),
        WrongKey(testDescription: "empty", authorization: ""),
        WrongKey(testDescription: "no bearer", authorization: "Basic YTpi"),
        WrongKey(testDescription: "another", authorization: "Bearer xxx"),
        WrongKey(testDescription: "nothing behind it", authorization: "Bearer "),
    ]

    @Test("R23.1 nobody is answered without the key", arguments: wrongKeys) func nobodyIsAnsweredWithoutTheKey(
        _ row: WrongKey
    ) throws {
        var bench = try ServiceBench()
        for line in ["GET /arc-info/", "PUT /token-info/", "POST /approov"] {
            let headers = row.authorization.map { ["Authorization": $0] } ?? [:]
            let answer = bench.send(line, headers: headers, isAuthorized: false)
            expect(answer.status, equals: 401, "\(line)")
            #expect(answer.headers.contains(.init("WWW-Authenticate", "Bearer")))
            #expect(!answer.text.contains(bench.key))
        }
    }

    // Manual, Reporting Token Misuse: one a minute, and one a day and device; the answer is the same.
    @Test("R23.2 reports are limited and listed") func reportsAreLimitedAndListed() throws {
        var bench = try ServiceBench()
        let other = "h4gubfCFzJu81j/U2BJsdg=="
        let tokens = [try bench.attest().token, try bench.attest(device: other).token]
        let report = { (bench: inout ServiceBench, token: String, message: String) in
            let headers = ["Approov-Token": token, "Report-Message": message]
            expect(bench.send("PUT /token-info/", headers: headers).status, equals: 200)
        }
        report(&bench, tokens[0], "first")
        report(&bench, tokens[1], "within the minute")
        bench.time = bench.time + 60
        report(&bench, tokens[0], "the same device on the day")
        report(&bench, tokens[1], String(repeating: "x", count: 257))
        report(&bench, tokens[1], "second")
        bench.time = bench.time + 86_400
        report(&bench, tokens[0], String(repeating: "é", count: 256))
        let listed = bench.send("POST /approov", #"["token","-reports"]"#)
        let printed = try #require(try JSONSerialization.jsonObject(with: Data(listed.body)) as? [String: Any])
        expect(
            printed["printed"] as? [String],
            equals: [
                "2020-12-09 15:31:02 UTC \(ServiceBench.device): first",
                "2020-12-09 15:32:02 UTC \(other): second",
                "2020-12-10 15:32:02 UTC \(ServiceBench.device): \(String(repeating: "é", count: 256))",
            ])
    }
}

/// Answers have the form that the documentation says (R23.6).
@Suite struct DescribedAnswerTests {
    // A request that is answered with 200 for each route, by the path of the route.
    private static func requests(token: String) -> [(line: String, body: String, headers: [String: String])] {
        [
            ("GET /", "", [:]), ("GET /openapi.json", "", [:]), ("GET /arc-info/", "", ["Arc": "XJEUXVAKZY"]),
            ("PUT /token-info/", "", ["Approov-Token": token]), ("GET /healthcheck/att-my-account", "", [:]),
            ("POST /attest", ServiceBench.record("rooted"), [:]), ("GET /.well-known/jwks.json", "", [:]),
            ("GET /metrics", "", [:]), ("GET /outage", "", [:]), ("PUT /outage", #"{"limited":false}"#, [:]),
            ("GET /backends", "", [:]), ("PUT /backends", #"{"my.api.io":["LEAF","CA"]}"#, [:]),
            ("POST /clock", #"{"advance":"5m"}"#, [:]), ("POST /approov", #"["policy","-get"]"#, [:]),
        ]
    }

    private static let start = "2020-07-23T00:00:00Z"

    private static func bench() throws -> ServiceBench {
        try ServiceBench(clock: .virtual(try #require(Instant(rfc3339: start))))
    }

    @Test("R23.6 every answer fits the schema of its route") func answersFit() throws {
        var bench = try Self.bench()
        let attested = bench.send("POST /attest", ServiceBench.record()).body
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(attested)) as? [String: Any])
        let requests = Self.requests(token: try #require(answer["token"] as? String))
        expect(requests.count, equals: RouteTable.routes.count)
        for (route, request) in zip(RouteTable.routes, requests) {
            let answer = bench.send(request.line, request.body, headers: request.headers)
            expect(answer.status, equals: 200, "\(request.line): \(String(decoding: answer.body, as: UTF8.self))")
            if case .metrics = route.result {
                #expect(answer.mediaType.hasPrefix(route.result.mediaType))
            } else {
                let json = try JSONSerialization.jsonObject(with: Data(answer.body))
                let schema = try JSONSerialization.jsonObject(
                    with: Data(route.result.schema.line), options: .fragmentsAllowed)
                #expect(Self.fits(json, schema), "\(request.line): \(String(decoding: answer.body, as: UTF8.self))")
            }
        }
        let refused = bench.send("POST /attest", "{")
        let json = try JSONSerialization.jsonObject(with: Data(refused.body))
        let schema = try JSONSerialization.jsonObject(with: Data(AnswerForm.refusal.schema.line))
        #expect(refused.status == 400 && Self.fits(json, schema))
    }

    // As JSON Schema has it; members that are not declared do not fit here.
    private static func fits(_ value: Any, _ schema: Any) -> Bool {
        guard let schema = schema as? [String: Any] else { return true }
        switch schema["type"] as? String {
        case "string": return value is String
        case "boolean": return value is Bool
        case "integer": return value is Int
        case "array":
            guard let items = value as? [Any], let item = schema["items"] else { return false }
            return items.allSatisfy { fits($0, item) }
        case "object":
            guard let members = value as? [String: Any] else { return false }
            let properties = schema["properties"] as? [String: Any] ?? [:]
            let others = schema["additionalProperties"]
            return Set(schema["required"] as? [String] ?? []).isSubset(of: members.keys)
                && members.allSatisfy { name, value in
                    (properties[name] ?? others).map { fits(value, $0) } ?? false
                }
        default: return false
        }
    }

    @Test("R23.6 the list of requests is that of the documentation, and each has a name of its own") func lists() throws
    {
        var bench = try Self.bench()
        let index = try JSONSerialization.jsonObject(with: Data(bench.send("GET /", isAuthorized: false).body))
        let requests = try #require((index as? [String: Any])?["requests"] as? [[String: String]])
        #expect(requests.map { "\($0["method"] ?? "") \($0["path"] ?? "")" }.contains("PUT /token-info/"))
        #expect(requests.count == RouteTable.routes.count && requests.allSatisfy { $0["summary"]?.isEmpty == false })
        let text = String(decoding: bench.send("GET /openapi.json", isAuthorized: false).body, as: UTF8.self)
        expect(text, equals: ServiceDescription.openAPI(version: ""))
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        expect((document["servers"] as? [[String: String]]), equals: [["url": "/"]])
        let names = RouteTable.routes.map(ServiceDescription.name)
        expect(Set(names).count, equals: names.count)
        #expect(names.contains("putTokenInfo") && names.contains("getWellKnownJwksJson") && names.contains("getIndex"))
    }
}
