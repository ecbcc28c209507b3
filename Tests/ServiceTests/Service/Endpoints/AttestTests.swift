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
}
