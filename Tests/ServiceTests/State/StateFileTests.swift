import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// What a service keeps in a file, and goes on from.
@Suite struct StateFileTests {
    private static let account = """
        account: a
        arc: on
        propagation: 0s
        apis: [{domain: my.api.io}]
        filters: [{name: blocked, key: ip, match: 6.6.6.6, ban: true}]

        """

    private static func bench(
        _ path: String, origin: String = "as it is", clock: ServiceClock = .system,
        at time: String = "2020-12-09T15:31:02Z"
    ) throws -> ServiceBench {
        var bench = try ServiceBench(account, at: time)
        let state = try StateFile(path: path, origin: origin)
        bench.service = try StandIn(bench.service.settings, clock: clock, at: bench.time, state: state)
        return bench
    }

    // A ban by a filter, a new flag, an entry, an outage and a report.
    private static func happen(_ bench: inout ServiceBench) throws {
        let banned = #"{"device-id":"\#(ServiceBench.device)","ip":"6.6.6.6"}"#
        #expect(bench.send("POST /attest", banned).status == 200)
        let token = try bench.attest("a-flag-of-nobody", device: "h4gubfCFzJu81j/U2BJsdg==").token
        let headers = ["Approov-Token": token, "Report-Message": "odd"]
        #expect(bench.send("PUT /token-info/", headers: headers).status == 200)
        let add = #"["device","-add","latest","-label","x"]"#
        #expect(
            bench.send("POST /approov", #"["device","-add","AAAAAAAAAAAAAAAAAAAAAA==","-label","x"]"#).status == 200,
            "\(add)")
        bench.time = bench.time + 1
        #expect(bench.send("PUT /outage", #"{"primary":true}"#).status == 200)
        _ = try bench.attest(device: "DoYouReadThisText01234==")
        #expect(bench.send("PUT /outage", #"{"primary":false}"#).status == 200)
    }

    // What everybody can ask.
    private static func seen(_ bench: inout ServiceBench) -> [String] {
        [
            bench.send("GET /metrics").text, bench.send("GET /outage").text,
            bench.send("POST /approov", #"["device","-getInfo","new-did"]"#).text,
            bench.send("POST /approov", #"["device","-list"]"#).text,
            bench.send("POST /approov", #"["device","-getFetches","timed"]"#).text,
            bench.send("POST /approov", #"["token","-reports"]"#).text,
            bench.send("POST /approov", #"["device","-getDeviceState","\#(ServiceBench.device)"]"#).text,
            bench.send("GET /.well-known/jwks.json").text,
        ]
    }

    @Test("R23.5 what happened is there after a restart") func whatHappenedIsThereAfterARestart() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state")
        var before: [String] = []
        do {
            var bench = try Self.bench(path)
            try Self.happen(&bench)
            before = Self.seen(&bench)
        }
        #expect(before[0].contains("scenario_devices{state=\"banned\"} 1\n"))
        #expect(before[5].contains("odd"))
        var bench = try Self.bench(path, at: "2020-12-09T15:31:03Z")
        #expect(Self.seen(&bench) == before)
        // The ban holds, and numbers go on.
        let attested = try bench.attest()
        #expect(attested.verdict == "fail")
        #expect(attested.decision["index"] as? Int == 3)
    }

    @Test("R23.5 keys that were drawn are there after a restart") func keysThatWereDrawnAreThereAfterARestart() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state")
        var before = ""
        var (secret, users): (Secret?, [UserRole]?)
        do {
            var bench = try Self.bench(path)
            for algorithm in ["RS256", "ES384", "HS256"] {
                let answer = bench.send("POST /approov?confirm=YES", #"["keyset","-add","\#(algorithm)"]"#)
                #expect(answer.status == 200, "\(answer.text)")
            }
            before = bench.send("GET /.well-known/jwks.json").text
            // Who is added has a number that is drawn, too.
            #expect(bench.send("POST /approov?confirm=YES", #"["secret","-change"]"#).status == 200)
            secret = bench.service.account.latest.accountSecret
            #expect(bench.send("POST /approov?confirm=YES", #"["users","-add","bob@x.io"]"#).status == 200)
            users = bench.service.account.latest.users
            #expect(try TokenKey.keys(jwks: before).count == 2)
        }
        var bench = try Self.bench(path)
        #expect(bench.send("GET /.well-known/jwks.json").text == before)
        #expect(bench.service.account.latest.accountSecret == secret)
        #expect(bench.service.account.latest.users == users)
        #expect(users?.count == 1)
        // Nobody but the owner reads what was drawn.
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("R23.5 the clock goes on where it was") func theClockGoesOnWhereItWas() throws {
        let folder = try TemporaryFolder()
        let start = try #require(Instant(rfc3339: "2020-07-23T00:00:00Z"))
        do {
            var bench = try Self.bench(folder.path("state"), clock: .virtual(start), at: "2020-01-01T00:00:00Z")
            #expect(bench.send("POST /clock", #"{"advance":"1d"}"#).status == 200)
        }
        var bench = try Self.bench(folder.path("state"), clock: .virtual(start), at: "2020-01-01T00:00:00Z")
        #expect(try bench.attest().decision["time"] as? String == "2020-07-24T00:00:00Z")
    }

    @Test("R23.5 what is refused is not kept") func whatIsRefusedIsNotKept() throws {
        let folder = try TemporaryFolder()
        do {
            var bench = try Self.bench(folder.path("state"))
            #expect(bench.send("POST /attest", "{}").status == 400)
            #expect(bench.send("POST /attest?domain=x.io", ServiceBench.record()).status == 400)
            #expect(bench.send("POST /approov", #"["policy","-set","x"]"#).status == 400)
            let unknown = #"["device","-getInfo","\#(ServiceBench.device)","-clear"]"#
            #expect(bench.send("POST /approov", unknown).status == 400)
            #expect(bench.send("POST /approov", #"["device","-getFetches","timed"]"#).status == 200)
        }
        let state = try StateFile(path: folder.path("state"), origin: "as it is")
        var events = 0
        try state.replay { _ throws(StateFailure) in events += 1 }
        #expect(events == 0)
    }

    @Test("R23.5 what was cleared stays so") func whatWasClearedStaysSo() throws {
        let folder = try TemporaryFolder()
        do {
            var bench = try Self.bench(folder.path("state"))
            _ = try bench.attest()
            let cleared = bench.send("POST /approov", #"["device","-getFetches","timed","-clear"]"#)
            #expect(cleared.text.contains(ServiceBench.device))
            #expect(bench.send("POST /approov", #"["device","-clearDeviceState"]"#, headers: [:]).status == 409)
            #expect(bench.send("POST /approov?confirm=YES", #"["device","-clearDeviceState"]"#).status == 200)
        }
        var bench = try Self.bench(folder.path("state"))
        let fetches = bench.send("POST /approov", #"["device","-getFetches","timed"]"#)
        #expect(fetches.text == "{\"printed\":[],\"reported\":[],\"warnings\":[],\"mail\":[]}\n")
        #expect(try bench.attest().decision["flags"] as? [String] == ["new-did"])
    }

    @Test("R23.5 a state of another account is refused") func aStateOfAnotherAccountIsRefused() throws {
        let folder = try TemporaryFolder()
        _ = try Self.bench(folder.path("state"))
        #expect(throws: StateFailure.otherAccount) { try Self.bench(folder.path("state"), origin: "edited") }
    }

    @Test("R23.5 one process uses a state") func oneProcessUsesAState() throws {
        let folder = try TemporaryFolder()
        let first = try Self.bench(folder.path("state"))
        #expect(throws: StateFailure.inUse) { try Self.bench(folder.path("state")) }
        #expect(first.service.account.deviceCount == 0)
    }

    @Test("R23.5 a file of something else is refused and stays") func aFileOfSomethingElseIsRefusedAndStays() throws {
        let text = String(repeating: "no database\n", count: 200)
        let folder = try TemporaryFolder(["state": text])
        #expect(throws: StateFailure.noState) { try Self.bench(folder.path("state")) }
        #expect(folder["state"] == text)
        #expect(throws: StateFailure.self) { try Self.bench(folder.path("none/state")) }
    }
}
