import Documents
import Foundation
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import Scenarios
@testable import TestSupport

/// The certainty of an answer, in the headline and for programs.
@Suite struct CertaintyTests {
    @Test(arguments: CaseFile.all(in: "Tables/forms", ending: "certainty.txt"))
    func theHeadlineSaysHowSureItIs(_ file: CaseFile) throws {
        try file.expectActual { example in
            let given = example.body.filter { !$0.hasPrefix("! ") }
            let counts = given[0].split(separator: " ").compactMap { Int($0) }
            let sentences = given.dropFirst().map {
                $0.replacing("NEW-DEVICES", with: Figures.Unevaluated.newDeviceReason)
            }
            return given + (try Self.answer(of: Self.comparison(counts, sentences))).map { "! \($0)" }
        }
    }

    private static func comparison(_ counts: [Int], _ sentences: [String]) -> Comparison {
        var changes = ComparisonFigures()
        (changes.devices, changes.lockedOut, changes.letIn) = (counts[0], counts[1], counts[2])
        (changes.rejected.devices, changes.accepted.devices) = (counts[4], counts[5])
        changes.unevaluated.devices = counts[3]
        let side = Comparison.Side(figures: Figures())
        var comparison = Comparison(
            before: side, after: side, accounts: ComparedAccounts(before: Account(), after: Account()),
            changes: changes, isCapture: true)
        comparison.unevaluated = sentences
        return comparison
    }

    // The certainty, the bounds, and the beginning of the headline up to what is said of accounts.
    private static func answer(of comparison: Comparison) throws -> [String] {
        let json = String(decoding: ComparisonReport(comparison).bytes(as: .json), as: UTF8.self)
        let certainty = try #require(json.firstMatch(of: #/"certainty":\{"answer":"([a-z]+)"/#)).output.1
        let bounds = try #require(json.firstMatch(of: #/"locked-out":(\{"at-least"[^}]*\})/#)).output.1
        let headline = TextWriter().text(of: comparison.sections).prefix { $0 != "\n" }
        let end = headline.ranges(of: "start; ").last?.upperBound ?? headline.endIndex
        return [String(certainty), String(bounds), headline[..<end].trimmingCharacters(in: .whitespaces)]
    }
}

/// The names that stand for devices in comparisons.
@Suite struct DeviceNamesTests {
    private static let key = PseudonymKey(from: Array("a key of a test".utf8))
    private static let devices = (0..<5_000).map { DeviceID(first: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, second: 7) }

    @Test("several names are those of each device, sorted, whatever the number of threads", arguments: [1, 2, 7])
    func sorted(jobs: Int) {
        let names = DeviceNames(Self.key)
        let expected = Self.devices.map { names.name(of: $0) }.sorted()
        expect(names.sorted(of: Self.devices, jobs: jobs).map(\.text), equals: expected)
    }

    @Test("who asks again about some of the devices gets the same names") func kept() {
        let names = DeviceNames(Self.key)
        _ = names.sorted(of: Array(Self.devices[1_000..<3_000]), jobs: 2)
        let again = names.sorted(of: Array(Self.devices[..<2_000]), jobs: 2)
        expect(again, equals: DeviceNames(Self.key).sorted(of: Array(Self.devices[..<2_000]), jobs: 1))
        expect(Set(again).count, equals: 2_000)
        #expect(names.sorted(of: [], jobs: 2).isEmpty)
    }
}
