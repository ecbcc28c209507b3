import PolicyEngine
import Testing

@testable import Proofs
@testable import TestSupport

/// Answers that no transcript can show: about time, and about flags in another order.
@Suite struct ProverTests {
    private static let alt = """
        rules: [alt]
        devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,whitelist,default'}]
        """

    /// An answer in words: `proved`, `open: FILTERS`, or the records that were found, `flags | key=value` each, with ` / `
    /// between them, and with `outage: ` before those that the failover answers.
    static func words(_ answer: Prover.Answer) -> String {
        switch answer {
        case .proved: "proved"
        case .found(let witness): witness.records.map(words).joined(separator: " / ")
        case .notExcluded(let filters): "open: " + filters.map(\.name).joined(separator: ",")
        case .notDecided(.time): "not decided: time"
        case .notDecided(.size): "not decided: size"
        case .notDecided(let reason): "not decided: \(reason)"
        }
    }

    private static func words(_ record: ProofWitness.Record) -> String {
        let flags = record.flags.isEmpty ? "-" : record.flags.joined(separator: ",")
        let attributes = record.attributes.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
        let service = record.service == .failover ? "outage: " : ""
        return service + (attributes.isEmpty ? flags : "\(flags) | \(attributes)")
    }

    struct Time: LabelledRow {
        let name, registrations: String
        /// The earliest and the latest time that the record may have.
        let times: ClosedRange<String>
    }

    // R15.2: a removed registration counts until its end, and one that is left counts for the app until its own.
    static let times = [
        Time(
            name: "before the end of the one that was removed",
            registrations: "{app-sig: s, appid: p, app-version: '1', expires: '2019-06-01T00:00:00Z'}",
            times: "0001-01-01"..."2019-05-31T23:59:59Z"),
        Time(
            name: "behind the end of the one that is left",
            registrations: "{app-sig: s, appid: p, app-version: '1'}, {app-sig: s, app-version: '1', "
                + "expires: '2030-06-01T00:00:00Z'}",
            times: "2030-06-01T00:00:00Z"..."9999-12-31T23:59:59Z"),
    ]

    @Test(arguments: times) func recordsAreOfATimeAtWhichTheVerdictTurns(_ row: Time) throws {
        let text = "account: shop\nregistrations: [\(row.registrations)]\n"
        let after = try CommandBench.carryOut(["registration -remove sp-1"], on: text).account
        let answer = Prover(before: try AccountText.account(text), after: after, limit: .seconds(60)).answer(.rejected)
        guard case .found(let witness) = answer, let record = witness.records.first else {
            Issue.record("\(answer)")
            return
        }
        expect(witness.records.count, equals: 1)
        #expect(row.times.contains(record.time.description), "\(record.time)")
    }

    @Test func eachAccountHasTheFlagsInItsOwnOrder() throws {
        let filter = "filters: [{name: f, key: flags-all, regex: 'one,.*two', reject: true}]"
        let before = try AccountText.account("account: shop\nflags: [{name: one}, {name: two}]\n\(filter)\n")
        let after = try AccountText.account("account: shop\nflags: [{name: two}, {name: one}]\n\(filter)\n")
        let prover = Prover(before: before, after: after, limit: .seconds(60))
        expect(Self.words(prover.answer(.rejected)), equals: "proved")
        expect(Self.words(prover.answer(.accepted)), equals: "new-did,one,two")
        // Whoever knows neither has them in the order of a stream.
        let without = try AccountText.account("account: shop\n\(filter)\n")
        let open = Prover(before: before, after: without, limit: .seconds(60))
        expect(Self.words(open.answer(.accepted)), equals: "open: f")
    }

    @Test func flagsThatMakeADifferenceAreNamed() throws {
        let after = try AccountText.account(
            "account: shop\nfilters: [{name: f, key: flags-all, regex: 'frida', reject: true}]\n")
        let answer = Prover(before: Account(name: "shop"), after: after, limit: .seconds(60)).answer(.rejected)
        guard case .notExcluded(let filters) = answer, case .unknownFlags(let example?) = filters.first?.reason else {
            Issue.record("\(answer)")
            return
        }
        #expect(example.contains("frida") && after.catalogue.namedFlag(example) == nil, "\(example)")
    }

    @Test func withoutTimeNothingIsDecided() {
        let answer = Prover(before: Account(), after: Account(), limit: .zero).answer(.rejected)
        expect(Self.words(answer), equals: "not decided: time")
    }

    @Test func tooManyWaysToTellValuesApartAreNotDecided() throws {
        let patterns = ["a.{60}b", "b.{60}c", "c.{60}d"]
        let filters = patterns.enumerated().map {
            "{name: f\($0), key: k, regex: '\($1)', \(["reject", "ban", "risky"][$0]): true}"
        }
        let after = try AccountText.account("account: shop\nfilters: [\(filters.joined(separator: ", "))]\n")
        let answer = Prover(before: Account(name: "shop"), after: after, limit: .milliseconds(200)).answer(.rejected)
        #expect(["not decided: time", "not decided: size"].contains(Self.words(answer)))
    }

    @Test func samplingThatHardlyEverHappensIsNotDecided() throws {
        let text = "account: shop\n\(Self.alt)\n"
        let after = try CommandBench.carryOut(["filter -setSamplingPercentage 0.000000001"], on: text).account
        let prover = Prover(before: try AccountText.account(text), after: after, limit: .milliseconds(300))
        #expect(["not decided: time", "not decided: sampling"].contains(Self.words(prover.answer(.accepted))))
        expect(Self.words(prover.answer(.rejected)), equals: "proved")
    }
}
