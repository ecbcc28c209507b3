import Documents

@testable import Scenarios
@testable import TestSupport

/// A random scenario of clients that make requests, ask for strings and custom JWTs, and prove measurements.
///
/// Pins, forced pins, modes, outages and networks are those of ``SmallScenario``; the calls are laid among its steps.
struct ClientScenario {
    /// The kinds of steps that something can be expected of.
    enum Kind: CaseIterable {
        case fetch, request, secureString, customToken, proof

        /// The results that the expectation counts, in its words.
        var words: [String] {
            switch self {
            case .fetch: ["pass", "fail"]
            case .request: ["accepted", "refused", "blocked", "intercepted", "not-sent", "no-connection"]
            case .secureString: Self.calls + ["UNKNOWN_KEY", "BAD_KEY"]
            case .customToken: Self.calls + ["BAD_PAYLOAD"]
            case .proof: ["match", "mismatch", "none"]
            }
        }

        private static let calls = [
            "SUCCESS", "NO_NETWORK", "POOR_NETWORK", "MITM_DETECTED", "NO_APPROOV_SERVICE", "REJECTED", "DISABLED",
        ]

        /// The expectation that each word has a count, whatever else there is.
        func expectation(_ counts: [String: Int]) -> String {
            let each = words.map { "\($0): \(counts[$0] ?? 0)" }.joined(separator: ", ")
            switch self {
            case .fetch, .request: return "{\(each), vacuous: allowed}"
            case .secureString, .customToken: return "{result: {\(each)}, vacuous: allowed}"
            case .proof: return "{proof: {\(each)}, vacuous: allowed}"
            }
        }
    }

    struct Step {
        let time: Int
        let text: String
        let kind: Kind?
    }

    let account: String
    let head: String
    var steps: [Step]

    /// Draws a scenario.
    ///
    /// - Parameter hasCommands: True if steps may change the account.
    init(seed: UInt64, hasCommands: Bool = true) {
        let small = SmallScenario(seed: seed)
        var chance = Chance(seed: seed &+ 1_000_003)
        let lines = small.yaml.split(separator: "\n").map(String.init)
        let (first, last) = (lines.firstIndex(of: "account:") ?? 0, lines.firstIndex(of: "steps:") ?? lines.count - 1)
        let body = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }
        account = (Self.settings(&chance) + body.map(Self.withLock)).map { "  \($0.trimmingIndent)\n" }.joined()
        head = lines[(first + 1 + body.count)..<last].map { $0 + "\n" }.joined()
        let end = small.steps.last?.time ?? 0
        steps = small.steps.map { Step(time: $0.time, text: $0.action.yaml, kind: Self.kind(of: $0.action.yaml)) }
        if !hasCommands { steps.removeAll { $0.text.hasPrefix("approov:") } }
        let calls = (0..<(3 + chance.below(8))).map { _ in Self.call(&chance, at: chance.below(end + 1)) }
        steps = (steps + calls).enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    private static func settings(_ chance: inout Chance) -> [String] {
        let features = chance.some(of: ["secure-strings", "custom-jwt", "message-signing"], 70) + ["measurement"]
        let strings = chance.some(of: ["one", "two"], 70).map { "\($0): text-\($0)" }
        var settings = [
            "features: [\(features.joined(separator: ", "))]", "secure-strings: {\(strings.joined(separator: ", "))}",
        ]
        if chance.happens(30) {
            settings.append("filters: [{name: lost, key: device-id, regex: '^h4', reject: \(chance.happens(50))}]")
        }
        return settings
    }

    // A domain that serves measurements.
    private static func withLock(_ line: String) -> String {
        line.replacing("  apis: [", with: "  apis: [{domain: lock.com, alg: A256GCMKW}, ")
    }

    private static func kind(of text: String) -> Kind? {
        if text.hasPrefix("request:") { return .request }
        return text.hasPrefix("fetch:") ? .fetch : nil
    }

    private static func call(_ chance: inout Chance, at time: Int) -> Step {
        switch chance.below(7) {
        case 0, 1:
            let definition = chance.pick(["", "", ", define: mine", ", define: ''"])
            let key = chance.pick(["one", "two", "three"])
            return Step(
                time: time, text: "secure-string: {group: all, key: \(key)\(definition)}", kind: .secureString)
        case 2:
            let payload = chance.pick(["{}", "{\"a\": 1}", "none"])
            return Step(
                time: time, text: "custom-jwt: {group: all, payload: '\(payload)'}", kind: .customToken)
        case 3: return Step(time: time, text: "fetch: all, domain: lock.com?measurement", kind: .fetch)
        case 4: return Step(time: time, text: "request: all, to: lock.com?measurement", kind: .request)
        default:
            let kind = chance.pick(["integrity", "device"])
            return Step(time: time, text: "prove: {group: all, kind: \(kind)}", kind: .proof)
        }
    }

    /// As a file says it.
    ///
    /// - Parameter expectation: The expectation of the step with an index.
    func yaml(expecting expectation: (Int, Kind) -> String? = { _, _ in nil }) -> String {
        let lines = steps.enumerated().map { index, step in
            let expected = step.kind.flatMap { expectation(index, $0) }.map { ", expect: \($0)" } ?? ""
            return "  - {at: \(step.time)s, \(step.text)\(expected)}\n"
        }
        return "scenario: clients\naccount:\n  account: shop\n\(account)\(head)steps:\n" + lines.joined()
    }

    /// The results of the steps in a plain run: by the index of the step, the count of each word.
    ///
    /// - Parameter scenario: This scenario, expecting something of every step (``expectingNothing``), under any account.
    func counts(in scenario: Scenario) throws -> [Int: [String: Int]] {
        let steps = Dictionary(
            scenario.steps.enumerated().map { ($1.position.line, $0) }, uniquingKeysWith: { first, _ in first })
        var counts: [Int: [String: Int]] = [:]
        for expectation in try PlainRun(scenario).result.expectations {
            guard let index = steps[expectation.position.line], let kind = self.steps[index].kind else { continue }
            let actual = expectation.actual.prefix { $0 != "(" }.replacing(" ", with: "")
            switch kind {
            case .fetch, .request:
                let word = expectation.message.prefix { $0 != " " }
                counts[index, default: [:]][String(word)] = Int(actual)
            case .secureString, .customToken, .proof:
                for pair in actual.split(separator: ",").map({ $0.split(separator: ":") }) where pair.count == 2 {
                    counts[index, default: [:]][String(pair[0])] = Int(pair[1])
                }
            }
        }
        return counts
    }

    /// The text in which something is expected of every step, whether it holds or not.
    var expectingNothing: String { yaml { _, kind in kind.expectation([:]) } }
}

extension String {
    fileprivate var trimmingIndent: Substring { drop { $0 == " " } }
}
