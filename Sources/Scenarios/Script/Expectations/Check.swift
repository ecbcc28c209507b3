internal import Accounts
package import Documents
internal import Figures
internal import PolicyEngine

/// A check of the fetches, requests or calls of a step: its key, of what it can be expected, and the form of its value (formats:
/// Scenario, expectations).
///
/// ``all`` is the only list of them: reading, the schema, results and `run --update` follow from it.
struct Check: Sendable {
    let key: String
    /// The sentence on it for people.
    let help: String
    /// The kinds of steps of which it can be expected.
    var kinds: Set<ClientChanges.Kind> = [.token, .request]
    /// The form of the value, which depends on the step and on the names that the accounts have.
    let form: @Sendable (CheckContext) -> ValueForm<Expected>

    static let all: [Check] =
        [
            decision(
                "verdict", "The verdict of each token that came back: pass or fail.", { _ in .word(["pass", "fail"]) },
                is: { decision, _ in decision.passed ? "pass" : "fail" }),
            count("pass", "The number of fetches with a token of a device that passed.", \.passed),
            count("fail", "The number of fetches with a token of a device that failed.", \.failed),
            count("attested", "The number of fetches for which the device was examined.", \.attested).alsoOfCalls,
            count("cached", "The number of fetches that a cached token answered.", \.cached),
            count(
                "config-changed", "The number of fetches that reported a new configuration.", \.changed,
                isOfAnswers: false),
            count(
                "force-apply", "The number of fetches that reported pins to apply at once.", \.forced,
                isOfAnswers: false),
        ]
        + RequestOutcome.allCases.map { outcome in
            count(outcome.rawValue, outcome.help, of: [.request], { $0.requests[outcome] }, isOfAnswers: false)
        }
        + [
            result("result", "The result of each fetch or call, or how many ended in each way.").alsoOfCalls,
            result("proof", "The result of each proof, or how many ended in each way.", of: [.proof]),
            decision(
                "policy", "The security policy that was applied.", reach: [.policy], { .policy($0.names) },
                is: { $1.policy(of: $0) }),
            names(.rejections, "The reasons for which each device failed, or how many devices have each.").alsoOfCalls,
            names(.flags, "The flags of each attestation, or how many devices have each."),
            names(.annotations, "The flags that each token names, or how many devices have each."),
            names(.filters, "The filters that each attestation matched, or how many devices matched each."),
            decision(
                "lifetime", "The lifetime of each token, such as 5m.", { _ in ValueForm.duration.map { "\($0)s" } },
                is: { decision, _ in "\(decision.lifetime)s" }),
            responseCode.alsoOfCalls, token, loggableToken, secureString,
        ]

    // R21.6: it can also be expected of calls that attest.
    private var alsoOfCalls: Check {
        Check(key: key, help: help, kinds: kinds.union([.secureString, .customToken]), form: form)
    }

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
    private static let keysByKind = ClientChanges.Kind.allCases.reduce(into: [:]) { keys, kind in
        keys[kind] = all.filter { $0.kinds.contains(kind) }.map(\.key)
    }

    /// The check that a key names; `nil` for a key that is none.
    static func named(_ key: String) -> Check? { byKey[key] }

    /// The keys of the checks that can be expected of a kind of step.
    static func keys(of kind: ClientChanges.Kind) -> [String] { keysByKind[kind] ?? [] }
}

/// The step that a check is about, and what its value may name.
struct CheckContext {
    /// `nil` for whichever step can have the check.
    let step: (any ExpectingAction)?
    let names: ExpectedNames

    /// The context of the schema, which holds for all steps and accounts.
    static let any = CheckContext(step: nil, names: ExpectedNames(accounts: [], filters: []))
}

/// The value that an expectation has for a check.
struct Expected: Sendable {
    /// The value in words.
    let text: String
    /// The parts of an account at which the check looks, beside those on which its step depends.
    var reach: Set<AccountPart> = []
    /// The flags, filters and causes of rejections that it names.
    var names: [String] = []
    let test: Test

    enum Test: Sendable {
        /// Each fetch is compared; the closure returns the actual value of one that differs.
        case each(@Sendable (ExaminedFetch, SimulatedService) -> ActualValue?)
        /// The fetches of a kind are counted; answers are those that came with a token, and calls that were answered.
        case count(CountRange, @Sendable (ExaminedFigures) -> Int, isOfAnswers: Bool)
        /// The fetches are counted that have each name.
        case fetches(NamedRanges, @Sendable (ExaminedFetch) -> String)
        /// The devices are counted that have each name.
        case devices(NamedRanges, NameAspect)
    }
}

// MARK: Checks

extension Check {
    // A text that the attestation behind each fetch must have; a fetch without an attestation differs.
    private static func decision(
        _ key: String, _ help: String, reach: Set<AccountPart> = [],
        _ form: @escaping @Sendable (CheckContext) -> ValueForm<String>,
        is actual: @escaping @Sendable (Decision, SimulatedService) -> String
    ) -> Check {
        Check(key: key, help: help) { context in
            form(context).map { text in
                .ofDecision(text, reach: reach) { decision, service in
                    let found = actual(decision, service)
                    return found == text ? nil : .word(found)
                }
            }
        }
    }

    private static func count(
        _ key: String, _ help: String, of kinds: Set<ClientChanges.Kind> = [.token, .request],
        _ figure: @escaping @Sendable (ExaminedFigures) -> Int, isOfAnswers: Bool = true
    ) -> Check {
        Check(key: key, help: help, kinds: kinds) { _ in
            ValueForm.count.map {
                Expected(text: $0.description, test: .count($0, figure, isOfAnswers: isOfAnswers))
            }
        }
    }

    // The client's status, or the result of a proof: a word is of each, a mapping has the number that ended in each way.
    private static func result(
        _ key: String, _ help: String, of kinds: Set<ClientChanges.Kind> = [.token, .request]
    ) -> Check {
        Check(key: key, help: help, kinds: kinds) { context in
            let words = ValueForm.word(
                context.step.map { type(of: $0).results }
                    ?? StepKinds.expecting.filter { $0.checks.contains(key) }.flatMap { $0.results }.unique)
            let each = words.map { text in
                Expected(
                    text: text,
                    test: .each { fetch, _ in
                        guard let result = fetch.end.word else { return ActualValue(text: fetch.result) }
                        return result == text ? nil : .word(result)
                    })
            }
            let counts = ValueForm.counts(of: words).map {
                Expected(text: $0.description, test: .fetches($0, \.result))
            }
            return each.or(mapping: counts)
        }
    }

    // The names that each attestation has, in any order; or the number of devices that have each name.
    private static func names(_ aspect: NameAspect, _ help: String) -> Check {
        Check(key: aspect.rawValue, help: help) { context in
            let name = ValueForm<String>(aspect.schema) { node, _, reader in
                guard let name = node.text else { return nil }
                context.names.check(name, at: node.position, aspect, &reader)
                return name
            }
            let counts = ValueForm.counts(of: name).map {
                Expected(text: $0.description, names: $0.ranges.map(\.name), test: .devices($0, aspect))
            }
            let form = ValueForm.texts(of: name).map { Expected.names($0, aspect) }.or(mapping: counts)
            return aspect == .annotations ? form.or("none", Expected.noAnnotations) : form
        }
    }

    // The secure string of each call. It is a secret, so that a result says neither it nor what is expected.
    private static let secureString = Check(
        key: "value", help: "The secure string that each app gets; reports do not show it.", kinds: [.secureString]
    ) { _ in
        ValueForm.text.map { expected in
            Expected(
                text: "the expected string", reach: [.secureStrings],
                test: .each { fetch, _ in
                    let value = fetch.end.string
                    if value.hasSameBytes(as: expected) { return nil }
                    return ActualValue(text: value == nil ? "none, \(fetch.result)" : "another string")
                })
        }
    }
}

extension Expected {
    /// A value that the attestation behind each fetch must have.
    ///
    /// - Parameter mismatch: The actual value where it differs; `nil` otherwise.
    static func ofDecision(
        _ text: String, reach: Set<AccountPart> = [], names: [String] = [],
        _ mismatch: @escaping @Sendable (Decision, SimulatedService) -> ActualValue?
    ) -> Expected {
        Expected(
            text: text, reach: reach, names: names,
            test: .each { fetch, service in
                if let decision = fetch.decision { return mismatch(decision, service) }
                return ActualValue(text: "\(fetch.end.isCall ? "no attestation" : "no token"), \(fetch.result)")
            })
    }

    // R5.3: an empty list is not the same as none.
    fileprivate static func names(_ names: [String], _ aspect: NameAspect) -> Expected {
        let wanted = Set(names)
        return ofDecision(wanted.sorted().bracketed, names: Array(wanted)) { decision, service in
            if aspect == .annotations, decision.annotations == nil { return .word("none") }
            let present = service.names(of: aspect, in: decision) ?? []
            return present.exactTexts == wanted.exactTexts ? nil : .list(present)
        }
    }

    fileprivate static let noAnnotations = ofDecision("none") { decision, service in
        decision.annotations == nil ? nil : .list(service.names(of: .annotations, in: decision) ?? [])
    }
}

extension ValueForm<String> {
    // A policy that can be applied; its rejection part may be `custom`.
    fileprivate static func policy(_ names: ExpectedNames) -> ValueForm {
        let presets = RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]
        return text.described(by: RuleForms.policy(rejections: presets)).flatMap { text, node, _, reader in
            names.checkPolicy(text, at: node.position, &reader) ? text : nil
        }
    }
}

extension NameAspect {
    fileprivate var schema: JSONSchema {
        switch self {
        case .flags, .annotations: RuleForms.flag
        case .filters: RuleForms.filterName
        case .rejections:
            .any(of: [
                RuleForms.flag, .text(matching: "filter:[a-z0-9-]{1,20}|policy:blacklist").naming(.rejection),
            ])
        }
    }
}

// MARK: Results

/// The findings of one check in the fetches so far.
struct CheckFindings {
    /// The first fetch that differs.
    private var first: (actual: ActualValue, device: DeviceID)?
    // The number of those that differ, and whether all have the same value.
    private var (count, isSame) = (0, true)
    // The installs, or the number of fetches, that have a name.
    private var installs: [String: Set<Int>] = [:]
    private var fetches: [String: Int] = [:]

    /// Looks at a fetch.
    mutating func note(_ fetch: ExaminedFetch, _ test: Expected.Test, in service: SimulatedService) {
        switch test {
        case .each(let mismatch):
            guard let actual = mismatch(fetch, service) else { return }
            isSame = isSame && (first.map { $0.actual.text == actual.text } ?? true)
            first = first ?? (actual, fetch.device)
            count += 1
        case .count: break
        case .fetches(_, let name): fetches[name(fetch), default: 0] += 1
        case .devices(let wanted, let aspect):
            // Most fetches carry nothing of what is counted; then no name need be made.
            guard let decision = fetch.decision, decision.carriesAny(of: aspect) else { return }
            let present = service.names(of: aspect, in: decision) ?? []
            for (name, _) in wanted.ranges where present.contains(name) {
                installs[name, default: []].insert(fetch.install)
            }
        }
    }

    /// The result over all fetches.
    ///
    /// - Parameters:
    ///   - figures: The counts of the fetches.
    ///   - accounts: The accounts whose filters are named, by their indices.
    func result(_ expected: Expected, _ figures: ExaminedFigures, accounts: [Int]) -> ExpectationResult {
        switch expected.test {
        // Nothing is equal to a token that is not there, so that it never holds because nothing happened.
        case .each: return comparison(expected.text, fetches: figures.fetches)
        case .count(let range, let figure, isOfAnswers: true):
            return range.result(figure(figures), vacuity: figures.vacuity)
        // Results, requests and notices are what happens, and are not rewritten. They need no token.
        case .count(let range, let figure, isOfAnswers: false):
            return range.result(figure(figures), vacuity: nil).uncorrected
        case .fetches(let wanted, _): return wanted.result(fetches).uncorrected
        case .devices(let wanted, let aspect):
            var result = wanted.result(installs.mapValues(\.count), vacuity: figures.vacuity)
            // A filter that a count names which would hold without it, too.
            result.reaches = wanted.ranges.filter(\.count.isVacuousAtZero).compactMap { name, _ in
                switch (aspect, Rejection(name)) {
                case (.filters, _): .filter(name, accounts: accounts)
                case (.rejections, .filter(let filter)): .filter(filter.text, accounts: accounts)
                case (.rejections, _), (.flags, _), (.annotations, _): nil
                }
            }
            return result
        }
    }

    private func comparison(_ text: String, fetches: Int) -> ExpectationResult {
        guard let (actual, device) = first else { return ExpectationResult(passed: true, expected: text, actual: text) }
        let others = count > 1 ? ", one of \(count.grouped) that differ" : ""
        return ExpectationResult(
            passed: false, expected: text, actual: "\(actual.text) (device \(device)\(others))",
            correction: count == fetches && isSame ? actual : nil)
    }
}

extension Decision {
    /// True if an attestation has any name of a kind.
    fileprivate func carriesAny(of aspect: NameAspect) -> Bool {
        switch aspect {
        case .rejections: !passed
        case .flags: !flags.isEmpty
        case .annotations: annotations?.isEmpty == false
        case .filters: !filters.isEmpty
        }
    }
}

/// The value that a fetch has in place of the expected one.
package struct ActualValue: Hashable, Sendable {
    package let text: String
    /// The same, to be expected; `nil` where there is nothing, or no plain value.
    package var value: DocumentValue?

    static func word(_ text: String) -> ActualValue { ActualValue(text: text, value: .text(text)) }

    static func list(_ names: [String]) -> ActualValue {
        ActualValue(text: names.bracketed, value: .texts(names))
    }
}

extension [String] {
    /// The names in brackets.
    var bracketed: String { "[" + joined(separator: ", ") + "]" }

    /// The texts, each once, in the order of their first places.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
