import Foundation
import Testing

@testable import Documents
@testable import Figures
@testable import HTTP
@testable import PolicyEngine
@testable import Replay
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// `POST /attest`, and what a test moves around it.
@Suite struct AttestTests {
    @Test("R23.4 tokens say what was decided by every algorithm", arguments: TokenAlgorithm.allCases)
    func tokensSayWhatWasDecidedByEveryAlgorithm(_ algorithm: TokenAlgorithm) throws {
        let key = try TokenKey.new(algorithm, id: "k", bits: algorithm.isSymmetric ? 256 : nil)
        var bench = try ServiceBench(
            "account: a\napis: [{domain: my.api.io, type: keyset, kid: k}]\n", keys: [key])
        let verifier = TokenVerifier(key: key.publicKey ?? key)
        let passed = try bench.attest()
        expect(passed.verdict, equals: "pass")
        let claims = try verifier.claims(of: passed.token, at: bench.time)
        expect(claims.device?.description, equals: ServiceBench.device)
        let failed = try bench.attest("rooted")
        expect(failed.verdict, equals: "fail")
        let time = bench.time
        #expect(throws: TokenError.self) { try verifier.claims(of: failed.token, at: time) }
        // Whoever has the public keys reads the signed ones; no shared secret is among them.
        let set = bench.send("GET /.well-known/jwks.json").text
        let published = try TokenKey.keys(jwks: set)
        expect(published.map(\.id), equals: (algorithm.isSymmetric ? [] : ["k"]))
        #expect(published.allSatisfy { !$0.isPrivate })
        for key in published {
            #expect(throws: Never.self) { try TokenVerifier(key: key).claims(of: passed.token, at: time) }
        }
    }

    @Test("R1.5, R23.4 a domain that had pins alone gets tokens at once") func pinsOnlyBecomeTokens() throws {
        var bench = try ServiceBench("account: a\napis: [{domain: p.io, type: pinOnly}]\n")
        expect(bench.send("POST /attest?domain=p.io", ServiceBench.record()).status, equals: 400)
        for words in [#"["api","-remove","p.io"]"#, #"["api","-add","p.io"]"#] {
            expect(bench.send("POST /approov?confirm=YES", words).status, equals: 200)
        }
        let token = try bench.attest(query: "?domain=p.io").token
        let verifier = TokenVerifier(key: bench.service.account.latest.signingKey)
        try expect(verifier.claims(of: token, at: bench.time).device?.description, equals: ServiceBench.device)
    }

    @Test("R23.4 a domain that is not served is answered with those that are") func otherDomain() throws {
        let text = "account: a\napis: [{domain: my.api.io}, {domain: p.io, type: pinOnly}]\n"
        var bench = try ServiceBench(text)
        let answer = bench.send("POST /attest?domain=my.apl.io", ServiceBench.record())
        expect(answer.status, equals: 400)
        #expect(answer.text.contains(#""hint":"there are `my.api.io`""#))
    }

    @Test("R23.4 tokens are bound to what is asked for") func tokensAreBoundToWhatIsAskedFor() throws {
        var bench = try ServiceBench()
        let token = try bench.attest(query: "?domain=my.api.io&data=Bearer x").token
        let account = bench.service.account.latest
        let claims = try TokenVerifier(key: account.signingKey).claims(of: token, at: bench.time)
        expect(claims.isBound(to: "Bearer x"), equals: true)
    }

    @Test("R23.4 a primary outage leaves the failover") func aPrimaryOutageLeavesTheFailover() throws {
        var bench = try ServiceBench(
            "account: a\narc: on\napis: [{domain: my.api.io}]\nfilters: [{name: f, key: ip, match: x}]\n")
        _ = bench.send("PUT /outage", #"{"primary":true}"#)
        bench.time = bench.time + 60
        let attested = try bench.attest("rooted")
        expect(attested.verdict, equals: "fail")
        #expect(attested.decision["arc"] is NSNull)
        #expect(bench.send("GET /metrics").text.contains("scenario_devices{state=\"all\"} 0\n"))
        for line in ["GET /arc-info/", "PUT /token-info/", "POST /approov"] {
            expect(bench.send(line).status, equals: 503)
        }
        _ = bench.send("PUT /outage", #"{"failover":true}"#)
        let answer = bench.send("POST /attest", ServiceBench.record())
        expect(answer.status, equals: 503)
        expect(answer.member("error")?.hasSuffix("NO_APPROOV_SERVICE"), equals: true)
        expect(bench.send("GET /outage").text, equals: "{\"primary\":true,\"failover\":true,\"limited\":false}\n")
        _ = bench.send("PUT /outage", #"{"primary":false,"failover":false}"#)
        try expect(bench.attest().decision["index"] as? Int, equals: 1)
    }

    // R14.3: at the next whole minute, one minute later where the outage starts at a whole one.
    static let outages: [(start: String, waiting: Int)] = [
        ("2020-12-09T15:31:02Z", 58), ("2020-12-09T15:31:59Z", 1), ("2020-12-09T15:31:00Z", 60),
    ]

    @Test("R23.4a the failover answers when it has noticed", arguments: outages)
    func theFailoverAnswersWhenItHasNoticed(row: (start: String, waiting: Int)) throws {
        var bench = try ServiceBench(at: row.start)
        let start = bench.time
        expect(bench.send("PUT /outage", #"{"primary":true}"#).status, equals: 200)
        for seconds in [0, row.waiting - 1] {
            bench.time = start + seconds
            // Whoever says so again does not begin it again.
            expect(bench.send("PUT /outage", #"{"primary":true}"#).status, equals: 200)
            let answer = bench.send("POST /attest", ServiceBench.record())
            expect(answer.status, equals: 503)
            expect(answer.member("error")?.hasSuffix(": NO_APPROOV_SERVICE"), equals: true)
            expect(answer.member("hint"), equals: "it answers from \(start + row.waiting) on")
        }
        bench.time = start + row.waiting
        try expect(bench.attest().verdict, equals: "pass")
        // A later outage is noticed anew.
        expect(bench.send("PUT /outage", #"{"primary":false}"#).status, equals: 200)
        expect(bench.send("PUT /outage", #"{"primary":true}"#).status, equals: 200)
        expect(bench.send("POST /attest", ServiceBench.record()).status, equals: 503)
    }

    // Manual, Token Fetch Errors: "a full URL path may be specified from which the domain is extracted".
    static let names: [(text: String, isServed: Bool)] = [
        ("my.api.io", true), ("https://my.api.io", true), ("https://MY.api.io:443/v1/x?a", true),
        ("http://my.api.io", false), ("https://other.io/my.api.io", false), ("my.api.io/v1", true),
        ("my api.io", false), ("https://my.api.io?measurement", false),
    ]

    @Test("R23.4a a domain is named as the app names it", arguments: names)
    func aDomainIsNamedAsTheAppNamesIt(row: (text: String, isServed: Bool)) throws {
        var bench = try ServiceBench()
        var request = bench.request("POST /attest", Array(ServiceBench.record().utf8), headers: [:])
        request.query = [.init("domain", row.text)]
        let answer = bench.service.answer(request, at: bench.time)
        expect(answer.status, equals: (row.isServed ? 200 : 400), "\(answer.text)")
        expect(answer.member("field"), equals: (row.isServed ? nil : "domain"))
    }

    @Test("R23.6 limited questions are answered so") func limitedQuestionsAreAnsweredSo() throws {
        var bench = try ServiceBench()
        _ = bench.send("PUT /outage", #"{"limited":true}"#)
        let answer = bench.send("GET /arc-info/", headers: ["Arc": "XJEUXVAKZY"])
        expect(answer.status, equals: 429)
        #expect(answer.headers.contains(.init("Retry-After", "60")))
        expect(bench.send("POST /attest", ServiceBench.record()).status, equals: 200)
    }

    @Test("R23.4 a virtual clock is moved by requests alone") func aVirtualClockIsMovedByRequestsAlone() throws {
        let start = try #require(Instant(rfc3339: "2020-07-23T00:00:00Z"))
        var bench = try ServiceBench(clock: .virtual(start))
        bench.time = bench.time + 1_000_000
        try expect(bench.attest().decision["time"] as? String, equals: "2020-07-23T00:00:00Z")
        expect(bench.send("POST /clock", #"{"advance":"5m"}"#).text, equals: "{\"time\":\"2020-07-23T00:05:00Z\"}\n")
        try expect(bench.attest().decision["time"] as? String, equals: "2020-07-23T00:05:00Z")
        var other = try ServiceBench()
        expect(other.send("POST /clock", #"{"advance":"5m"}"#).status, equals: 409)
    }

    // The system's clock may be set back; time does not.
    @Test("R23.4 time never turns back") func timeNeverTurnsBack() throws {
        var bench = try ServiceBench()
        let first = try bench.attest().decision["time"] as? String
        bench.time = bench.time + -3600
        try expect(bench.attest().decision["time"] as? String, equals: first)
    }

    @Test("R23.4 a group stands for its devices") func aGroupStandsForItsDevices() throws {
        let scenario = """
            scenario: Phones
            account: {account: a, apis: [{domain: my.api.io}]}
            devices:
              normal: {count: 3, os: android}
              rooted: {count: 2, os: android, flags: [rooted], attributes: {appid: com.example}}

            """
        var diagnostics = Diagnostics()
        let folder = try TemporaryFolder(["phones.yaml": scenario])
        let loaded = ScenarioLoader.load(
            path: folder.path("phones.yaml"), isChecked: false, within: .anywhere, diagnostics: &diagnostics)
        let population = try PopulationRecords(try #require(loaded, "\(diagnostics.all)"))
        expect(population.groups, equals: ["normal", "rooted"])
        var bench = try ServiceBench("account: a\napis: [{domain: my.api.io}]\n") { $0.population = population }
        var devices: Set<String> = []
        for (body, verdict) in [
            (#"{"group":"normal"}"#, "pass"), (#"{"group":"normal","number":3}"#, "pass"),
            (#"{"group":"rooted","number":2}"#, "fail"),
        ] {
            let attested = try ServiceBench.Attested(bench.send("POST /attest", body))
            expect(attested.verdict, equals: verdict)
            devices.insert(attested.decision["device"] as? String ?? "")
        }
        expect(devices.count, equals: 3)
        for (body, field) in [
            (#"{"group":"none"}"#, "group"), (#"{"group":"normal","number":4}"#, "number"),
            (#"{"group":"normal","number":"1"}"#, "number"), (#"{"group":"normal","ip":"1"}"#, "ip"),
            (#"{"group":1}"#, "group"),
        ] {
            let answer = bench.send("POST /attest", body)
            expect(answer.status, equals: 400)
            expect(answer.member("field"), equals: field, "\(answer.text)")
        }
        let (empty, lost) = (bench.send("POST /attest", "{}"), bench.send("GET /attest/x"))
        expect(empty.member("hint"), equals: #"such as {"group": "normal"}, or a record with `device-id`"#)
        #expect(lost.status == 404 && lost.member("hint") == "`GET /` lists what there is")
    }

    // The same records one by one, at their times, are decided as a replay decides them all.
    @Test("R23.4 decisions are those of a replay", arguments: Exhaustive.seeds(1...40))
    func decisionsAreThoseOfAReplay(_ seed: UInt64) throws {
        var drawn = RandomAccount(seed: seed, flags: [])
        let account = try AccountText.account(drawn.text())
        var capture = RandomCapture(seed: seed, flags: [])
        let records = capture.records(60)
        let replayed = try ReplayBench.replay(records.map(\.line).joined(), account: account)
        var bench = try ServiceBench(at: "2020-01-01T00:00:00Z") { $0.account = account }
        var decisions: [String] = []
        for record in records {
            bench.time = Instant(secondsSinceEpoch: record.seconds)
            var object = try #require(
                try JSONSerialization.jsonObject(with: Data(record.line.utf8)) as? [String: Any])
            object["time"] = nil
            let body = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
            let answer = bench.send("POST /attest?domain=my.api.io", body).text
            decisions.append(String(answer.dropFirst(#"{"decision":"#.count).prefix(while: { $0 != "}" })) + "}")
        }
        expect(decisions, equals: replayed.decisions)
        let figures = bench.service.account.figures
        let expected = try #require(replayed.summary.figures)
        // A service knows which devices are new, and a capture may not.
        guard expected.unevaluated == Figures.Unevaluated() else { return }
        expect(figures.metrics, equals: expected.metrics)
        expect(figures.devices, equals: expected.devices)
        expect(figures.windows, equals: expected.windows)
    }
}

/// `PUT /backends`: what API domains present.
@Suite struct BackendTests {
    @Test("R23.4a what a domain presents is kept") func whatADomainPresentsIsKept() throws {
        let folder = try TemporaryFolder()
        func begin() throws -> ServiceBench {
            var bench = try ServiceBench()
            let state = try StateFile(path: folder.path("state"), origin: "a")
            bench.service = try StandIn(bench.service.settings, clock: .system, at: bench.time, state: state)
            return bench
        }
        let both = "{\"api.io\":[\"NEW\",\"CA\"],\"b.io\":[\"B\"]}\n"
        do {
            var bench = try begin()
            expect(bench.send("GET /backends").text, equals: "{}\n")
            expect(
                bench.send("PUT /backends", #"{"api.io":["LEAF","CA"]}"#).text,
                equals: "{\"api.io\":[\"LEAF\",\"CA\"]}\n")
            expect(bench.send("PUT /backends", #"{"https://B.io/v1":["B"],"API.io":["NEW","CA"]}"#).text, equals: both)
        }
        var bench = try begin()
        expect(bench.send("GET /backends").text, equals: both)
        expect(
            bench.service.account.chains.map(\.chain), equals: [["NEW", "CA"], ["B"]])
    }

    // printf LEAF | openssl dgst -sha256 -binary | base64
    private static let leaf = "IbBPqzGfV8mraNXyRqW2oHFFuWCQe9Mn0tx3U0OVvmk="

    @Test("R18.2a, R23.4a an added domain gets the pin of the leaf that it is said to present") func addedDomain()
        throws
    {
        var bench = try ServiceBench("account: a\npropagation: 0s\napis: []\n")
        _ = bench.send("PUT /backends", #"{"api.io":["LEAF","CA"]}"#)
        let leaf = bench.send("POST /approov", #"["pin","-api","API.io","-getLeafPin","matching"]"#)
        #expect(leaf.text.contains("matching leaf pin for domain API.io:443 is \(Self.leaf)"), "\(leaf.text)")
        let known = bench.send("POST /approov?confirm=YES", #"["api","-add","api.io"]"#)
        #expect(known.text.contains("with type:account, alg:HS256, pin:\(Self.leaf)"), "\(known.text)")
        let unknown = bench.send("POST /approov?confirm=YES", #"["api","-add","b.io"]"#)
        #expect(unknown.text.contains("with type:account, alg:HS256, unpinned"), "\(unknown.text)")
        #expect(unknown.text.contains("the certificates of `b.io` are not known"))
        let domains = bench.service.account.latest.apiDomains
        #expect(domains.map(\.pins) == [[Self.leaf], []] && domains.map(\.monitorPort) == [443, nil])
    }

    static let refused: [(body: String, field: String)] = [
        ("{}", "body"), ("[]", "body"), (#"{"a b":["X"]}"#, "a b"), (#"{"http://a.io":["X"]}"#, "http://a.io"),
        (#"{"a.io":[]}"#, "a.io"), (#"{"a.io":"X"}"#, "a.io"), (#"{"a.io":[""]}"#, "a.io"), (#"{"a.io":[1]}"#, "a.io"),
        (#"{"a.io":["X"],"A.io":["Y"]}"#, "A.io"), (#"{"a.io":["X"],"b.io":{}}"#, "b.io"),
    ]

    @Test("R23.4a what is no chain of a domain changes nothing", arguments: refused)
    func whatIsNoChainChangesNothing(row: (body: String, field: String)) throws {
        var bench = try ServiceBench()
        let answer = bench.send("PUT /backends", row.body)
        expect(answer.status, equals: 400)
        expect(answer.member("field"), equals: row.field, "\(answer.text)")
        expect(bench.send("GET /backends").text, equals: "{}\n")
    }
}
