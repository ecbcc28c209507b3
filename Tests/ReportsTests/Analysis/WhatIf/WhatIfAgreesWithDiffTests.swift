import Accounts
import PolicyEngine
import Testing

@testable import Analysis
@testable import Figures
@testable import Replay
@testable import TestSupport

/// The effects of every edit in one pass are those of a comparison with each edited account.
@Suite struct WhatIfAgreesWithDiffTests {
    private static let seeds = 1...UInt64(Exhaustive.count(8, whole: 100))
    private static let names = ["extra-one", "extra-two", "zz-unknown", "aa-unknown"]
    private static let declared = [
        RandomAccount.Declared(name: "extra-one", isRisk: true),
        RandomAccount.Declared(name: "extra-two", isRisk: false),
    ]

    /// The figures that both have.
    private struct Line: Hashable, CustomStringConvertible {
        let rejected, accepted: [Int]
        let unevaluated, perMille: Int
        let perDay: Int?
        var description: String { "\(rejected) \(accepted) \(unevaluated) \(perMille) \(perDay ?? -1)" }
    }

    @Test(arguments: seeds.prefix(Exhaustive.count(2, whole: 100))) func agrees(_ seed: UInt64) throws {
        var accounts = RandomAccount(seed: seed, flags: seed % 3 == 0 ? [] : Self.declared)
        let account = try AccountText.account(accounts.text())
        var captures = RandomCapture(seed: seed << 16, flags: Self.names)
        let capture = captures.records(60).map(\.line).joined()
        _ = try Self.expectAgreement(capture, account, jobs: seed % 2 == 0 ? 3 : 1, "seed \(seed)")
    }

    /// Searches that are given up leave devices unevaluated, under some edits and not under others (R7.2).
    @Test func agreesWhereSearchesAreGivenUp() throws {
        let account = try AccountText.account(
            """
            account: slow
            filters:
              - {name: slow, key: user-property, regex: '(a+)+$'}
              - {name: slower, key: user-property, regex: '(a*)*x', risky: true}
              - {name: both, conjunction: [slow, slower]}
              - {name: other, key: ip, match: 1.2.3.4, reject: true}

            """)
        let value = String(repeating: "a", count: 60) + "b"
        let capture = (0..<12).map { number in
            let (device, property) = (RandomCapture.devices[number % 4], number % 3 == 0 ? value : "gold")
            return #"{"time":"2020-07-23T10:\#(10 + number):00Z","device-id":"\#(device)","public-flags":"new-did","#
                + #""ip":"\#(number % 2 == 0 ? "1.2.3.4" : "5.6.7.8")","user-property":"\#(property)"}"# + "\n"
        }.joined()
        let figures = try Self.expectAgreement(capture, account, jobs: 2, "given up")
        #expect(Set(figures.map(\.unevaluatedDevices)).count > 1)
    }

    // The effects of every edit, after comparing them with a comparison.
    private static func expectAgreement(
        _ capture: String, _ account: Account, jobs: Int, _ context: String
    ) throws -> [EditFigures] {
        let edits = SingleEdits.all(of: account)
        let summary = try whatIf(capture, account, edits, jobs: jobs)
        expect(summary.edits.count, equals: edits.count)
        for (edit, figures) in zip(edits, summary.edits) {
            let outcome = try ComparisonBench.compare(capture, accounts: (account, edit.account))
            let changes = try #require(outcome.comparison).changes
            let expected = Line(
                rejected: [changes.rejected.attestations, changes.rejected.devices],
                accepted: [changes.accepted.attestations, changes.accepted.devices],
                unevaluated: changes.unevaluated.devices, perMille: changes.expectedFetchesPerMille,
                perDay: changes.attestationsPerDay)
            let actual = Line(
                rejected: [figures.rejected.attestations, figures.rejected.devices],
                accepted: [figures.accepted.attestations, figures.accepted.devices],
                unevaluated: figures.unevaluatedDevices, perMille: figures.expectedFetchesPerMille,
                perDay: summary.attestationsPerDay)
            expect(actual, equals: expected, "\(context), \(edit.command.text)")
            let isIdle = IdleChange.isKnown(from: account, to: edit.account)
            #expect(
                !isIdle || expected.rejected + expected.accepted == [0, 0, 0, 0], "\(context), \(edit.command.text)")
            expectFlags(figures, changes, "\(context), \(edit.command.text)")
        }
        return summary.edits
    }

    // The flags of examples are among those that newly pass; a comparison shows no more than ten.
    private static func expectFlags(_ figures: EditFigures, _ changes: ComparisonFigures, _ context: String) {
        let examples = Set(changes.accepted.examples.flatMap(\.flags).map { ExactText($0) })
        #expect(examples.subtracting(figures.acceptedFlags).isEmpty, "\(context)")
        #expect(figures.acceptedFlags.isEmpty || changes.accepted.attestations > 0, "\(context)")
    }

    private static func whatIf(
        _ capture: String, _ account: Account, _ edits: [SingleEdit], jobs: Int
    ) throws -> WhatIfSummary {
        let folder = try TemporaryFolder()
        var request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "1")], account: account)
        (request.jobs, request.blockBytes) = (jobs, jobs == 1 ? request.blockBytes : 512)
        return CaptureWhatIf(request, edits: edits.map(\.account)).run()
    }

    /// The random cases reach what is hard: edits that change what devices are remembered for, and doubt.
    @Test func reachesWhatIsHard() throws {
        var found: Set<String> = []
        for seed in Self.seeds {
            var accounts = RandomAccount(seed: seed, flags: Self.declared)
            let account = try AccountText.account(accounts.text())
            var captures = RandomCapture(seed: seed << 16, flags: Self.names)
            let edits = SingleEdits.all(of: account)
            let summary = try Self.whatIf(captures.records(60).map(\.line).joined(), account, edits, jobs: 1)
            for (edit, figures) in zip(edits, summary.edits) {
                let topic = edit.command.text.split(separator: " ").prefix(2).joined(separator: " ")
                if figures.rejected.attestations > 0 { found.insert("\(topic) rejects") }
                if figures.accepted.attestations > 0 { found.insert("\(topic) accepts") }
                if figures.unevaluatedDevices > 0 { found.insert("unjudged") }
                if edit.command.text.contains("-ban"), figures.rejected.attestations > figures.rejected.devices {
                    found.insert("a ban stays")
                }
            }
        }
        let expected: Set<String> = [
            "policy -set rejects", "policy -set accepts", "policy -addRejectFlag rejects",
            "policy -removeRejectFlag accepts", "filter -add rejects", "filter -add accepts", "filter -remove accepts",
            "device -remove accepts", "unjudged", "a ban stays",
        ]
        expect(expected.subtracting(found), equals: [])
    }
}
