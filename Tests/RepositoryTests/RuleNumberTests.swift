import FoundationEssentials
import Testing

@testable import TestSupport

/// The rules in `docs/RULES.md`, and who names them.
@Suite struct RuleNumberTests {
    @Test func everyRuleThatCodeNamesStandsInTheRules() throws {
        let rules = try Self.rules()
        for (file, numbers) in try Self.numbers(in: ["Sources", "Tests", "Snippets", "Benchmarks", "Scenarios"]) {
            let unknown = numbers.filter { $0.contains(".") }.subtracting(rules)
            #expect(unknown.isEmpty, "\(file) names rules that docs/RULES.md does not have")
        }
    }

    @Test func everyRuleIsNamedByATest() throws {
        let named = try Self.numbers(in: ["Tests"]).values.reduce(into: Set<String>()) { $0.formUnion($1) }
        let unnamed = try Self.rules().subtracting(Self.steps).subtracting(named)
        #expect(unnamed.sorted() == [], "rules without a test")
    }

    @Test func theRulesWereFound() throws {
        let rules = try Self.rules()
        #expect(rules.isSuperset(of: ["R1.1", "R4.3", "R13.2a", "R16", "R18.1", "R19a.1"]))
        #expect(rules.count > 90)
    }

    /// The steps of an attestation, which R10 numbers without a rule each.
    private static let steps = Set((1...14).map { "R10.\($0)" })

    // `- R4.3 …` is a rule; `## R16 …` is one where no rule is below it.
    private static func rules() throws -> Set<String> {
        let numbers = RulesDocument.text.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^(?:- |## )(R[0-9]+[a-z]?(?:\.[0-9]+[a-z]?)?)\s/).map { String($0.1) }
        }
        return steps.union(numbers.filter { number in !numbers.contains { $0.hasPrefix("\(number).") } })
    }

    private static func numbers(in folders: [String]) throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for file in try Repository.files(in: folders, endings: [".swift", ".py", ".yaml", ".md"]) {
            let text = try Repository.text(of: file)
            // A function that is named after a rule has `_` where that has a point.
            let numbers = text.matches(of: /(?:\b|_)(R[1-9][0-9]?[a-z]?(?:[._][0-9]+[a-z]?)?)\b/)
                .map { String($0.1).replacing("_", with: ".") }
            if !numbers.isEmpty { found[file] = Set(numbers) }
        }
        return found
    }
}
