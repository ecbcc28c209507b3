import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// `POST /approov`.
@Suite struct ManagementTests {
    private static let account = "account: a\npropagation: 30s\napis: [{domain: my.api.io}]\n"

    @Test func aChangeIsInForceAfterItsPropagation_R23_4() throws {
        var bench = try ServiceBench(Self.account)
        let change = #"["policy","-set","default,allow-root,risk"]"#
        let asked = bench.send("POST /approov", change)
        #expect(asked.status == 409)
        #expect(asked.member("field") == "confirm")
        #expect(bench.send("POST /approov?confirm=yes", change).status == 409)
        #expect(bench.send("POST /approov?confirm=YES", change).status == 200)
        #expect(try bench.attest("rooted").verdict == "fail")
        bench.time = bench.time + 30
        #expect(try bench.attest("rooted").verdict == "pass")
    }

    @Test func keysAreRotatedWhileItRuns_R23_4() throws {
        var bench = try ServiceBench("account: a\npropagation: 0s\napis: [{domain: my.api.io}]\n")
        let before = try bench.attest().token
        let keys = { (bench: inout ServiceBench) in
            try TokenKey.keys(jwks: bench.send("GET /.well-known/jwks.json").text)
        }
        #expect(try keys(&bench).isEmpty)
        for (number, command) in [
            #"["keyset","-add","ES256","-kid","one"]"#, #"["keyset","-add","ES256","-kid","two"]"#,
        ].enumerated() {
            #expect(bench.send("POST /approov?confirm=YES", command).status == 200)
            #expect(try keys(&bench).count == number + 1)
        }
        for kid in ["one", "two"] {
            let change = #"["api","-add","my.api.io","-keySetKID","\#(kid)"]"#
            #expect(bench.send("POST /approov?confirm=YES", #"["api","-remove","my.api.io"]"#).status == 200)
            let answer = bench.send("POST /approov?confirm=YES", change)
            #expect(answer.status == 200, "\(answer.text)")
            let token = try bench.attest(query: "?domain=my.api.io").token
            let key = try #require(try keys(&bench).first { $0.id == kid })
            let time = bench.time
            #expect(throws: Never.self) { try TokenVerifier(key: key).claims(of: token, at: time) }
            #expect(token != before)
        }
    }

    @Test func whatIsAskedOfDevicesIsAnswered_R23_4() throws {
        var bench = try ServiceBench(Self.account)
        _ = try bench.attest("rooted")
        let answer = bench.send("POST /approov", #"["device","-getFetches","timed"]"#)
        #expect(answer.text.contains("\(ServiceBench.device) 2020-12-09 15:31:02 UTC"))
        let latest = bench.send("POST /approov?confirm=YES", #"["device","-add","latest","-banMode","ban"]"#)
        #expect(latest.status == 200, "\(latest.text)")
        bench.time = bench.time + 30
        #expect(try bench.attest().verdict == "fail")
    }

    @Test func aRoleMayDoWhatItMay_R23_4() throws {
        var bench = try ServiceBench(Self.account) { settings in
            settings.authorize = { authorization, _ in
                authorization == "Bearer of-a-developer" ? StandIn.Manager(role: .dev, name: "bob") : nil
            }
        }
        let headers = ["Authorization": "Bearer of-a-developer"]
        let send = { (bench: inout ServiceBench, command: String) in
            bench.send("POST /approov?confirm=YES", command, headers: headers, isAuthorized: false)
        }
        #expect(send(&bench, #"["device","-clearDeviceState"]"#).status == 403)
        #expect(send(&bench, #"["device","-add","\#(ServiceBench.device)"]"#).status == 200)
        #expect(send(&bench, #"["device","-list"]"#).text.contains("bob"))
        #expect(bench.send("POST /approov", #"["policy","-get"]"#).status == 401)
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
        // What stands on this machine is not for whoever sends a request.
        Row("a file to read", #"["keyset","-import","/etc/hostname","-kid","x","-alg","RS256"]"#),
        Row("a file to write", #"["keyset","-getJWKS","keys.json"]"#),
        Row("an unknown device", #"["device","-getInfo","\#(ServiceBench.device)"]"#),
    ]

    @Test(arguments: refused) func wrongCommandsAreRefused_R23_6(_ row: Row) throws {
        var bench = try ServiceBench(Self.account)
        let before = bench.service.account.latest
        let answer = bench.send("POST /approov?confirm=YES", row.body)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.member("field") == "body")
        #expect(bench.service.account.latest == before)
    }
}
