import Foundation
import Testing

@testable import Accounts
@testable import HTTP
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// `POST /approov`.
@Suite struct ManagementTests {
    @Test("R23.4 keys are rotated while it runs") func keysAreRotatedWhileItRuns() throws {
        var bench = try ServiceBench("account: a\npropagation: 0s\napis: [{domain: my.api.io}]\n")
        let before = try bench.attest().token
        let keys = { (bench: inout ServiceBench) in
            try TokenKey.keys(jwks: bench.send("GET /.well-known/jwks.json").text)
        }
        #expect(try keys(&bench).isEmpty)
        for (number, command) in [
            #"["keyset","-add","ES256","-kid","one"]"#, #"["keyset","-add","ES256","-kid","two"]"#,
        ].enumerated() {
            expect(bench.send("POST /approov?confirm=YES", command).status, equals: 200)
            try expect(keys(&bench).count, equals: number + 1)
        }
        for kid in ["one", "two"] {
            let change = #"["api","-add","my.api.io","-keySetKID","\#(kid)"]"#
            expect(bench.send("POST /approov?confirm=YES", #"["api","-remove","my.api.io"]"#).status, equals: 200)
            let answer = bench.send("POST /approov?confirm=YES", change)
            expect(answer.status, equals: 200, "\(answer.text)")
            let token = try bench.attest(query: "?domain=my.api.io").token
            let key = try #require(try keys(&bench).first { $0.id == kid })
            let time = bench.time
            #expect(throws: Never.self) { try TokenVerifier(key: key).claims(of: token, at: time) }
            #expect(token != before)
        }
    }

    @Test("R23.4a an example token is for a domain, which may be a whole URL") func exampleTokenOfURL() throws {
        var bench = try ServiceBench()
        let answer = bench.send("POST /approov", #"["token","-genExample","https://my.api.io/v1/shapes?a=b"]"#)
        expect(answer.status, equals: 200, "\(answer.text)")
        let token = try #require(answer.text.firstMatch(of: /eyJ[\w.-]+/)).output
        let verifier = TokenVerifier(key: bench.service.account.latest.signingKey)
        let claims = try verifier.claims(of: String(token), at: bench.time)
        expect(claims.device?.description, equals: "ExampleApproovTokenDID==")
    }
}

/// Commands are read, and their keys made, before anybody waits for the service.
@Suite struct GivenCommandTests {
    @Test("R23.6 a key is made before the service has the command", arguments: ["RS256", "ES256", "HS256"])
    func aKeyIsMadeBefore(algorithm: String) throws {
        let given = try GivenCommand(words: ["keyset", "-add", algorithm, "-kid", "k"])
        guard case .made(let key) = given.chance else {
            Issue.record("no key was made: \(given.chance)")
            return
        }
        var bench = try ServiceBench()
        try expect(bench.service.manage(given, by: .init(), consent: nil, at: bench.time).status, equals: 200)
        expect(bench.service.account.latest.keys.keySet.key(named: "k"), equals: key.renamed("k"))
    }

    // Reading a request needs no service, so none can be held meanwhile.
    @Test("R23.6 a request is refused for its body before the service has it") func bodiesAreReadBefore() throws {
        let bench = try ServiceBench()
        let routed = try RoutedRequest(bench.request("PUT /outage", Array("{".utf8), headers: [:]))
        let call = try bench.service.admit(routed, at: bench.time)
        #expect(throws: Refusal.self) { _ = try routed.route.reading(call) }
    }
}

/// The documentation of the service.
@Suite struct DescriptionTests {
    @Test("R23.6 it lists what can be asked") func itListsWhatCanBeAsked() throws {
        let text = ServiceDescription.openAPI(version: "1")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        expect(document["openapi"] as? String, equals: "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let listed = paths.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } }
        expect(
            listed.sorted(),
            equals: [
                "get /", "get /.well-known/jwks.json", "get /arc-info/", "get /backends", "get /healthcheck/{account}",
                "get /metrics", "get /openapi.json", "get /outage", "post /approov", "post /attest", "post /clock",
                "put /backends",
                "put /outage", "put /token-info/",
            ])
        let attest = try #require(paths["/attest"]?["post"] as? [String: Any])
        expect(
            (attest["responses"] as? [String: Any])?.keys.sorted(), equals: ["200", "400", "403", "413", "421", "503"])
        #expect(attest["security"] == nil)
        let code = try #require(paths["/arc-info/"]?["get"] as? [String: Any])
        expect(
            (code["responses"] as? [String: Any])?.keys.sorted(),
            equals: ["200", "400", "401", "403", "421", "429", "503"])
        expect((code["parameters"] as? [[String: Any]])?.map { $0["in"] as? String }, equals: ["header"])
    }

    // Every documented path is answered, and no answer has a status that is not documented.
    @Test("R23.6 every documented path is answered") func everyDocumentedPathIsAnswered() throws {
        var bench = try ServiceBench()
        for route in RouteTable.routes {
            let path = route.path.replacing("{account}", with: "att-my-account")
            let answer = bench.send("\(route.method.rawValue) \(path)", route.body?.example ?? "")
            #expect(answer.status != 404 && answer.status != 405, "\(path)")
            let documented = ServiceDescription.statuses(of: route)
            #expect(documented.contains(answer.status), "\(path): \(answer.status)")
        }
    }
}
