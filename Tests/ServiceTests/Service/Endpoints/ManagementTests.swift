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
    private static let account = "account: a\npropagation: 30s\napis: [{domain: my.api.io}]\n"

    @Test("R23.4 a change is in force after its propagation") func aChangeIsInForceAfterItsPropagation() throws {
        var bench = try ServiceBench(Self.account)
        let change = #"["policy","-set","default,allow-root,risk"]"#
        let asked = bench.send("POST /approov", change)
        expect(asked.status, equals: 409)
        expect(asked.member("field"), equals: "confirm")
        expect(bench.send("POST /approov?confirm=yes", change).status, equals: 409)
        expect(bench.send("POST /approov?confirm=YES", change).status, equals: 200)
        try expect(bench.attest("rooted").verdict, equals: "fail")
        bench.time = bench.time + 30
        try expect(bench.attest("rooted").verdict, equals: "pass")
    }

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

    @Test("R23.4 what is asked of devices is answered") func whatIsAskedOfDevicesIsAnswered() throws {
        var bench = try ServiceBench(Self.account)
        _ = try bench.attest("rooted")
        let answer = bench.send("POST /approov", #"["device","-getFetches","timed"]"#)
        #expect(answer.text.contains("\(ServiceBench.device) 2020-12-09 15:31:02 UTC"))
        let latest = bench.send("POST /approov?confirm=YES", #"["device","-add","latest","-banMode","ban"]"#)
        expect(latest.status, equals: 200, "\(latest.text)")
        bench.time = bench.time + 30
        try expect(bench.attest().verdict, equals: "fail")
    }

    // R24: a dev's management token, until the role is revoked and that is in force.
    @Test("R23.4 a role may do what it may") func aRoleMayDoWhatItMay() throws {
        var bench = try ServiceBench(Self.account) { settings in
            var (account, effect) = (settings.account, CommandEffect())
            let time = Instant(secondsSinceEpoch: 1_600_000_000)
            for line in ["users -add bob@x.io -noPassword", "users -add amy@x.io -admin -noPassword"] {
                guard let command = try? ManagementCommand(line) else { continue }
                effect = (try? command.apply(to: &account, in: CommandContext(time: time))) ?? effect
            }
            settings.account = account
        }
        let users = try #require(bench.service.account.latest.users)
        expect(users.map(\.kind), equals: [.dev, .admin])
        let tokens = users.map { ManagementToken.text(of: $0, account: bench.service.account.latest) }
        let send = { (bench: inout ServiceBench, user: Int, command: String) in
            bench.send(
                "POST /approov?confirm=YES", command, headers: ["Authorization": "Bearer \(tokens[user])"],
                isAuthorized: false)
        }
        let refused = send(&bench, 0, #"["device","-clearDeviceState"]"#)
        expect(refused.status, equals: 403)
        expect(refused.member("error"), equals: "an admin role is required")
        expect(send(&bench, 0, #"["device","-add","\#(ServiceBench.device)"]"#).status, equals: 200)
        #expect(send(&bench, 0, #"["device","-list"]"#).text.contains("bob"))
        expect(send(&bench, 1, #"["device","-clearDeviceState"]"#).status, equals: 200)
        // The API key makes nobody an admin here, and no answer has a token in it.
        expect(bench.send("POST /approov", #"["policy","-get"]"#).status, equals: 401)
        expect(send(&bench, 1, #"["users","-revoke","\#(users[0].id)"]"#).status, equals: 200)
        bench.time = bench.time + 29
        expect(send(&bench, 0, #"["policy","-get"]"#).status, equals: 200)
        bench.time = bench.time + 1
        let ended = send(&bench, 0, #"["policy","-get"]"#)
        expect(ended.status, equals: 401)
        for token in tokens { #expect(!ended.text.contains(token) && !refused.text.contains(token)) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String

        init(_ name: String, _ body: String) { (testDescription, self.body) = (name, body) }
    }

    static let refused = [
        Row("no JSON", "policy -get"), Row("no array", #"{"words":[]}"#), Row("a number", #"["policy",1]"#),
        Row("no words", "[]"), Row("an unknown topic", #"["polcy","-get"]"#),
        Row("an unknown option", #"["policy","-gt"]"#), Row("a bad value", #"["policy","-set","nothing"]"#),
        // Files of this machine are not for whoever sends a request.
        Row("a file to read", #"["keyset","-import","/etc/hostname","-kid","x","-alg","RS256"]"#),
        Row("a file to write", #"["keyset","-getJWKS","keys.json"]"#),
        Row("a token for a file", #"["users","-add","bot@x.io","-automation"]"#),
        Row("another account", #"["registration","-cloneTo","/etc/hostname"]"#),
        Row("an unknown device", #"["device","-getInfo","\#(ServiceBench.device)"]"#),
    ]

    @Test("R23.6 wrong commands are refused", arguments: refused) func wrongCommandsAreRefused(_ row: Row) throws {
        var bench = try ServiceBench(Self.account)
        let before = bench.service.account.latest
        let answer = bench.send("POST /approov?confirm=YES", row.body)
        expect(answer.status, equals: 400, "\(answer.text)")
        expect(answer.member("field"), equals: "body")
        expect(bench.service.account.latest, equals: before)
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

    static let impossible = [["RS256", "-keyLength", "17"], ["ES256", "-keyLength", "1"]]

    @Test("R23.6 a key that cannot be made is refused", arguments: impossible)
    func aKeyThatCannotBeMade(options: [String]) throws {
        var bench = try ServiceBench()
        let words = (["keyset", "-add"] + options).map { "\"\($0)\"" }.joined(separator: ",")
        let answer = bench.send("POST /approov", "[\(words)]")
        expect(answer.status, equals: 400)
        expect(answer.member("error")?.contains("bits"), equals: true, "\(answer.text)")
    }

    // Reading a request needs no service, so none can be held meanwhile.
    @Test("R23.6 a request is refused for its body before the service has it") func bodiesAreReadBefore() throws {
        let bench = try ServiceBench()
        let routed = try RoutedRequest(bench.request("PUT /outage", Array("{".utf8), headers: [:]))
        let call = try bench.service.admit(routed, at: bench.time)
        #expect(throws: Refusal.self) { _ = try routed.route.reading(call) }
    }

    @Test("R23.6 nobody without a key learns what else is wrong") func keysComeFirst() throws {
        var bench = try ServiceBench()
        expect(bench.send("POST /approov", "{", isAuthorized: false).status, equals: 401)
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
