import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

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
        #expect(try bench.service.manage(given, by: .init(), consent: nil, at: bench.time).status == 200)
        #expect(bench.service.account.latest.keys.keySet.key(named: "k") == key.renamed("k"))
    }

    static let impossible = [["RS256", "-keyLength", "17"], ["ES256", "-keyLength", "1"]]

    @Test("R23.6 a key that cannot be made is refused", arguments: impossible)
    func aKeyThatCannotBeMade(options: [String]) throws {
        var bench = try ServiceBench()
        let words = (["keyset", "-add"] + options).map { "\"\($0)\"" }.joined(separator: ",")
        let answer = bench.send("POST /approov", "[\(words)]")
        #expect(answer.status == 400)
        #expect(answer.member("error")?.contains("bits") == true, "\(answer.text)")
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
        #expect(bench.send("POST /approov", "{", isAuthorized: false).status == 401)
    }
}
