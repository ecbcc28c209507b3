import Foundation
import PolicyEngine
import Testing

@testable import TestSupport
@testable import scenario

/// The decided rules that reports name; `Tests/Transcripts/reports` has for every rule a report that names it, and one that does not.
@Suite("reports name the decided rules on which they rest") struct ProvenanceTests {
    @Test func aReportNamesAppsThatAreCountedTogether() throws {
        for (count, isNamed) in [(10_000, false), (10_001, true)] {
            let lines = (0..<count).map { number in
                #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","public-flags":"","appid":"a\#(number)"}"#
                    + "\n"
            }
            let run = try ToolRun("diff @apps.jsonl -a new --policy strict", files: ["apps.jsonl": lines.joined()])
            expect(run.status, equals: .success, "\(run.error)")
            expect(run.output.contains("this answer rests on R13.1, which the manual leaves open"), equals: isNamed)
        }
    }

    // A rule is marked once or more; R10 numbers steps rather than rules.
    private static var marked: Set<String> {
        var (numbers, current, heading) = (Set<String>(), "", "")
        for line in RulesDocument.text.split(separator: "\n").drop(while: { !$0.hasPrefix("## R1 ") }) {
            if let match = line.firstMatch(of: /^## (R[0-9]+a?)/) { (heading, current) = (String(match.1), "") }
            if let match = line.firstMatch(of: /^- (R[0-9]+a?\.[0-9]+[a-z]?)/) { current = String(match.1) }
            if let match = line.firstMatch(of: /^([0-9]+)\.\s/) { current = "\(heading).\(match.1)" }
            if line.contains(/\*\*[Dd]ecided\*\*/) { numbers.insert(current) }
        }
        return numbers
    }

    @Test func theCatalogueHasTheRulesThatAreMarkedAsDecided() {
        let numbers = DecidedRule.allCases.map(\.number)
        expect(Set(numbers), equals: Self.marked)
        expect(Set(numbers).count, equals: numbers.count)
        expect(numbers.count, equals: 30)
    }

    @Test func everyRuleHasACaseOrAReasonForNone() throws {
        let texts = try ["captures", "scenarios"].map {
            try Repository.text(of: "Tests/Transcripts/reports/decided-rules-of-\($0).txt")
        }
        for rule in DecidedRule.allCases {
            let named = "\"rule\":\"\(rule.number)\",\"sentence\":\"\(rule.sentence)\""
            // R13.1 needs a capture of its own.
            let isTested = texts.contains { $0.contains(named) } || rule == .otherApps
            expect(isTested, equals: (rule.silence == nil), "\(rule.number)")
            let sentences = [rule.sentence] + [rule.silence].compactMap(\.self)
            for sentence in sentences { #expect(!sentence.isEmpty && sentence.last != ".", "\(rule.number)") }
        }
    }
}
