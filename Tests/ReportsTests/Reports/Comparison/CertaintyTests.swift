import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import Scenarios
@testable import TestSupport

/// The certainty of an answer, in the headline and for programs.
@Suite struct CertaintyTests {
    struct Row: LabelledRow {
        let name: String
        /// Devices in all, those that lose or gain valid tokens, and those of which nothing is known.
        let devices, lockedOut, letIn, unevaluated: Int
        /// Devices that are newly rejected, and newly accepted, at some time; by default none at others than always.
        var rejected = 0, accepted = 0
        /// The effects that cannot be evaluated.
        var sentences: [String] = []
        let certainty: String
        let headline: String
        /// Bounds of the devices that lose valid tokens.
        let bounds: String
    }

    static let rows = [
        Row(
            name: "everything is known", devices: 2000, lockedOut: 104, letIn: 0, unevaluated: 0, certainty: "exact",
            headline: "104 of 2,000 devices (5.2 %) would stop getting valid tokens; none would start; ",
            bounds: #"{"at-least":104,"at-most":104}"#),
        Row(
            name: "some devices are not known", devices: 2000, lockedOut: 104, letIn: 3, unevaluated: 12,
            certainty: "bounded",
            headline: "between 104 and 116 of 2,000 devices (5.2 % to 5.8 %) would stop getting valid tokens; "
                + "between 3 and 15 would start; ",
            bounds: #"{"at-least":104,"at-most":116}"#),
        Row(
            name: "none is counted and some are not known", devices: 10, lockedOut: 0, letIn: 0, unevaluated: 1,
            certainty: "bounded",
            headline: "between 0 and 1 of 10 devices (0.0 % to 10.0 %) would stop getting valid tokens; "
                + "between 0 and 1 would start; ",
            bounds: #"{"at-least":0,"at-most":1}"#),
        Row(
            name: "some devices are not known, and some change sides at times", devices: 2000, lockedOut: 4, letIn: 3,
            unevaluated: 12, rejected: 104, accepted: 5, certainty: "bounded",
            headline: "between 104 and 116 of 2,000 devices (5.2 % to 5.8 %) would get no valid tokens at times, "
                + "between 4 and 16 would stop getting them; between 5 and 17 would get valid tokens at more times, "
                + "between 3 and 15 would start; ",
            bounds: #"{"at-least":4,"at-most":16}"#),
        Row(
            name: "a service changes", devices: 10, lockedOut: 1, letIn: 0, unevaluated: 0,
            sentences: ["DeviceCheck changes, and a capture tells only what it found as it was"], certainty: "open",
            headline:
                "as far as is known, 1 of 10 devices (10.0 %) would stop getting valid tokens; none would start; ",
            bounds: #"{"at-least":null,"at-most":null}"#),
        Row(
            name: "what is not known does not matter to this change", devices: 10, lockedOut: 1, letIn: 0,
            unevaluated: 0,
            sentences: [Figures.Unevaluated.newDeviceReason + ": effects that depend on it are left out"],
            certainty: "exact",
            headline: "1 of 10 devices (10.0 %) would stop getting valid tokens; none would start; ",
            bounds: #"{"at-least":1,"at-most":1}"#),
    ]

    @Test(arguments: rows) func theHeadlineSaysHowSureItIs(_ row: Row) {
        var changes = ComparisonFigures()
        (changes.devices, changes.lockedOut, changes.letIn) = (row.devices, row.lockedOut, row.letIn)
        (changes.rejected.devices, changes.accepted.devices) = (row.rejected, row.accepted)
        changes.unevaluated.devices = row.unevaluated
        let side = Comparison.Side(figures: Figures())
        var comparison = Comparison(
            before: side, after: side, accounts: ComparedAccounts(before: Account(), after: Account()),
            changes: changes, isCapture: true)
        comparison.unevaluated = row.sentences
        let text = TextWriter().text(of: comparison.sections)
        #expect(text.hasPrefix(row.headline))
        let json = String(decoding: ComparisonReport(comparison).bytes(as: .json), as: UTF8.self)
        #expect(json.contains(#""certainty":{"answer":"\#(row.certainty)","#))
        #expect(json.contains(#""locked-out":\#(row.bounds)"#))
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
