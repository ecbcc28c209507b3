import PolicyEngine
import Testing

@testable import Proofs
@testable import TestSupport

/// The answers about single changes, against those that are worked out by hand.
@Suite struct ProverTests {
    /// An answer in words: `proved`, `open: FILTERS`, or the records that were found, `flags | key=value` each, with ` / `
    /// between them, and with `outage: ` before those that the failover answers.
    ///
    /// In the table below, a row has lines of the account, the changes behind `$`, and the answers that are not `proved`.
    struct Row: LabelledRow {
        let name, account: String
        let changes: [String]
        let rejected, accepted: String

        init(name: String, lines: [Substring]) {
            func values(_ start: String) -> [String] {
                lines.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
            }
            (self.name, changes) = (name, values("$ "))
            (rejected, accepted) = (values("rejected: ").first ?? "proved", values("accepted: ").first ?? "proved")
            let others = lines.filter { line in !["$ ", "rejected: ", "accepted: "].contains(where: line.hasPrefix) }
            account = others.joined(separator: "\n")
        }
    }

    private static let alt = """
        rules: [alt]
        devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,whitelist,default'}]
        """

    static let rows = TextTable(
        #"""
        == R4.2 a stricter preset
        $ policy -set default,strict,default
        rejected: new-did,devicecheck-unavailable
        == R4.2 a looser preset
        $ policy -set default,allow-root,default
        accepted: rooted,new-did
        == R4.3 the exception of xposed
        $ policy -set default,allow-xposed,default
        accepted: xposed,new-did
        == R4.4 a flag without effect
        $ policy -addRejectFlag rooted
        == R4.5 blacklist
        $ policy -set default,blacklist,default
        rejected: new-did
        == R5 an annotation turns nothing
        $ policy -set default,default,all
        == R10 step 6: a risk flag
        policy: default,allow-root,default
        $ policy -addRejectFlag risky-device
        rejected: rooted,new-did
        == R7.2 an exact filter
        $ filter -add f -key ip -matchValue 1.2.3.4 -reject
        rejected: new-did | ip=1.2.3.4
        == R7.2 a pattern
        $ filter -add f -key ip -matchValue '^10\.0\.' -regex -reject
        rejected: new-did | ip=10.0.
        == R7.2 a pattern within another one
        filters: [{name: f, key: ip, regex: '^10\.', reject: true}]
        $ filter -add g -key ip -matchValue '^10\.0\.' -regex -reject
        == R7.2 a pattern beside an exact filter
        filters: [{name: f, key: ip, regex: '^1.$', reject: true}]
        $ filter -remove f
        $ filter -add g -key ip -matchValue 1a -reject
        accepted: new-did | ip=1b
        == R7.2 a list of flags
        policy: default,whitelist,default
        $ policy -set default,allow-root,default
        $ policy -removeRejectFlag frida
        $ filter -add f -key flags-all -matchValue '^xposed,frida' -regex -reject
        rejected: app-not-registered,new-did
        == R7.2 the order of the list
        policy: default,allow-root,default
        $ filter -add f -key flags-all -matchValue 'xposed,rooted(,|$)' -regex -reject
        == R2.2 a flag that nobody declares
        $ filter -add f -key flags-all -matchValue '^frida' -regex -reject
        rejected: open: f
        == R2.2 whole names of declared flags
        $ filter -add f -key flags-all -matchValue '(^|,)frida(,|$)' -regex -reject
        == R7.2 lists leave out two flags, and so no device has them there
        $ filter -add f -key flags-all -matchValue '(^|,)(new-did|risky-device)(,|$)' -regex -reject
        == R7.2 nor as the only flag
        $ filter -add f -key flags-all -matchValue new-did -reject
        == R2.2 the name that is read as another flag's
        $ filter -add f -key public-flags -matchValue '(^|,)devicecheck-complated(,|$)' -regex -ban
        == R2.2 a name that continues one of these is a flag that nobody declares
        $ filter -add f -key flags-all -matchValue 'new-did' -regex -reject
        rejected: open: f
        == R2.2 a whole list of declared flags
        $ filter -add f -key flags-all -matchValue frida -reject
        == R2.2 a whole list that other flags make another one
        filters: [{name: f, key: flags-all, match: rooted, reject: true}]
        $ policy -set default,allow-root,default
        accepted: xposed,new-did
        == R2.2 other flags have the same consequence under both accounts
        filters: [{name: f, key: flags-all, regex: 'odd', reject: true}]
        $ policy -addRejectFlag rooted
        == R2.2 one pattern more, though the other one finds more
        filters: [{name: f, key: flags-all, regex: 'odd', reject: true}]
        $ filter -add g -key flags-all -matchValue 'oddity' -regex -reject
        rejected: open: f,g
        == R2.2 one of several flags that nobody declares
        $ filter -add f -key public-flags -matchValue 'new-one,new-two' -regex -ban
        rejected: open: f
        == R7.2 a list in order
        policy: default,allow-root,default
        $ filter -add f -key flags-all -matchValue 'rooted,.*xposed' -regex -reject
        rejected: rooted,xposed,new-did
        == R7.3 a filter that executes the filtered policy
        \#(alt)
        $ filter -add f -key k -matchValue v -execFilteredSecPolicy
        accepted: app-not-registered,new-did | k=v
        == R7.3 the same rules do nothing
        devices: [{id: ++FilteredSecPolicy++w==, policy: 'default,whitelist,default'}]
        $ filter -add f -key k -matchValue v -execFilteredSecPolicy
        == R7.4 a conjunction
        filters: [{name: one, key: k, regex: a}, {name: two, key: k, regex: b}]
        $ filter -add c -conjunction one+two -reject
        rejected: new-did | k=ab
        == R7.4 inputs that exclude each other
        filters: [{name: one, key: k, regex: ^a}, {name: two, key: k, regex: ^b}]
        $ filter -add c -conjunction one+two -reject
        == R7.5 for new devices only
        filters: [{name: f, key: k, match: v, reject: true}]
        $ filter -add f -key k -matchValue v -reject -newDIDOnly
        accepted: new-did / - | k=v
        == R7.5 a ban shows later
        filters: [{name: f, key: k, match: v, ban: true}]
        $ filter -add f -key k -matchValue v -reject
        rejected: did-unban,new-did | k=v
        accepted: new-did | k=v / -
        == R7.6 sampling
        \#(alt)
        $ filter -setSamplingPercentage 1
        accepted: app-not-registered,new-did
        == R14.3 a policy behind a filter that matches every device
        \#(alt)
        filters: [{name: f, key: device-id, regex: '.', exec-filtered-sec-policy: true}]
        $ policy -set default,blacklist,default
        rejected: outage: new-did
        == R14.3 a policy behind sampling of every device
        \#(alt)
        sampling-percentage: 100
        $ policy -set default,whitelist,default
        accepted: outage: app-not-registered,new-did
        == R14.3 the failover detects no clones
        policy: default,whitelist,default
        $ policy -addRejectFlag cloned
        $ filter -add f -key flags-all -matchValue cloned -regex -reject
        rejected: cloned,new-did
        == R6.3 an entry that bans
        $ device -add \#(Sample.device) -banMode ban
        rejected: new-did
        == R6.4 an entry that unbans
        $ device -add \#(Sample.device) -banMode unban
        accepted: did-ban,new-did
        == R10 step 9: an entry with a policy
        $ device -add \#(Sample.device) -policy default,whitelist,default
        accepted: app-not-registered,new-did
        == R15.2 a registration that is removed
        registrations: [{app-sig: s, appid: p, app-version: '1'}]
        $ registration -remove sp-1
        rejected: new-did | app-sig=s, appid=p, app-version=1
        == R15.2 another one stands for the app
        registrations: [{app-sig: s, appid: p, app-version: '1'}, {app-sig: s, app-version: '1'}]
        $ registration -remove sp-1
        == R15.2 another one stands for the app, but not on Android
        registrations: [{app-sig: s, appid: p, app-version: '1'}, {app-sig: s, appid: p}]
        $ registration -remove sp-1
        rejected: new-did | app-sig=s, app-id-sig=, appid=p, app-version=1
        == look-around that finds something
        $ filter -add f -key k -matchValue '^(?!a)' -regex -reject
        rejected: new-did | k=
        == look-around that finds nothing known
        $ filter -add f -key k -matchValue '(?=qq)q' -regex -reject
        rejected: open: f
        == look-around without effect
        $ filter -add f -key k -matchValue '(?=qq)q' -regex -risky
        == look-around in a list of flags
        $ filter -add f -key flags-all -matchValue '(?=auto)a' -regex -reject
        rejected: open: f
        == the time of a record is no attribute
        $ filter -add f -key time -matchValue 2020 -regex -reject
        rejected: open: f
        """#
    ).rows.map { Row(name: $0, lines: $1) }

    private enum Sample {
        static let device = "h4gubfCFzJu81j/U2BJsdg=="
    }

    @Test(arguments: rows) func answersAreAsWorkedOut(_ row: Row) throws {
        let before = try AccountText.account("account: shop\n\(row.account)\n")
        let after = try CommandBench.carryOut(row.changes, on: "account: shop\n\(row.account)\n").account
        let prover = Prover(before: before, after: after, limit: .seconds(60))
        #expect(Self.words(prover.answer(.rejected)) == row.rejected)
        #expect(Self.words(prover.answer(.accepted)) == row.accepted)
    }

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

    @Test func aDeviceWithAnEntryIsNamed() throws {
        let after = try CommandBench.carryOut(["device -add \(Sample.device) -banMode ban"], on: "account: shop\n")
            .account
        let answer = Prover(before: Account(name: "shop"), after: after, limit: .seconds(60)).answer(.rejected)
        guard case .found(let witness) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(witness.device.description == Sample.device)
        #expect(witness.after.rejections == ["did-ban"])
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
        #expect(witness.records.count == 1)
        #expect(row.times.contains(record.time.description), "\(record.time)")
    }

    @Test func eachAccountHasTheFlagsInItsOwnOrder() throws {
        let filter = "filters: [{name: f, key: flags-all, regex: 'one,.*two', reject: true}]"
        let before = try AccountText.account("account: shop\nflags: [{name: one}, {name: two}]\n\(filter)\n")
        let after = try AccountText.account("account: shop\nflags: [{name: two}, {name: one}]\n\(filter)\n")
        let prover = Prover(before: before, after: after, limit: .seconds(60))
        #expect(Self.words(prover.answer(.rejected)) == "proved")
        #expect(Self.words(prover.answer(.accepted)) == "new-did,one,two")
        // Whoever knows neither has them in the order of a stream.
        let without = try AccountText.account("account: shop\n\(filter)\n")
        let open = Prover(before: before, after: without, limit: .seconds(60))
        #expect(Self.words(open.answer(.accepted)) == "open: f")
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
        #expect(Self.words(answer) == "not decided: time")
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
        #expect(Self.words(prover.answer(.rejected)) == "proved")
    }
}
