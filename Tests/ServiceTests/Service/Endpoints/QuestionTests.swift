import Foundation
import Testing

@testable import HTTP
@testable import PolicyEngine
@testable import Service
@testable import TestSupport

/// Questions of backends to the service, answered as the manual prints it.
@Suite struct QuestionTests {
    // A key file has a key of its own; else the key follows from the account's name.
    @Test("R23.1 the key is the accounts own") func theKeyIsTheAccountsOwn() throws {
        var bench = try ServiceBench("account: my-account\narc: on\n") {
            $0.account.keys.apiKey = APIKey(raw: "a-key-of-sixteen")
        }
        let headers = ["Arc": "XJEUXVAKZY", "Authorization": "Bearer a-key-of-sixteen"]
        expect(bench.send("GET /arc-info/", headers: headers, isAuthorized: false).status, equals: 200)
        expect(bench.send("GET /arc-info/", headers: ["Arc": "XJEUXVAKZY"]).status, equals: 401)
    }

    // Tests/Tables/service has what counts of reports else.
    @Test("R23.2 a report has at most 256 characters") func reportsHaveALength() throws {
        var bench = try ServiceBench()
        let token = try bench.attest().token
        for character in ["x", "é"] {
            let message = String(repeating: character, count: character == "x" ? 257 : 256)
            let headers = ["Approov-Token": token, "Report-Message": message]
            expect(bench.send("PUT /token-info/", headers: headers).status, equals: 200)
        }
        let printed = bench.send("POST /approov", #"["token","-reports"]"#).text
        #expect(printed.contains(": \(String(repeating: "é", count: 256))\"") && !printed.contains("xxx"))
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
