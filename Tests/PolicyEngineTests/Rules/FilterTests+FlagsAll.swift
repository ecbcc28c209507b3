import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FilterTests {
    @Suite("R7.2, R7.7 The key flags-all") struct FlagsAll {
        struct Row: LabelledRow {
            let label: String
            let observed: [String]
            let text: String
        }

        static let rows = [
            Row(label: "none is present and empty", observed: [], text: ""),
            Row(label: "one", observed: ["rooted"], text: "rooted"),
            Row(label: "catalogue order, without spaces", observed: ["xposed", "rooted"], text: "rooted,xposed"),
            Row(label: "new-did is left out", observed: ["new-did", "automated"], text: "automated"),
            Row(label: "risky-device is left out", observed: ["risky-device", "frida"], text: "frida"),
            Row(label: "the two alone leave nothing", observed: ["risky-device", "new-did"], text: ""),
            Row(
                label: "the manual's sample",
                observed: ["devicecheck-unavailable", "jailbroken", "init-config-outdated", "app-not-registered"],
                text: "app-not-registered,jailbroken,init-config-outdated,devicecheck-unavailable"),
            Row(label: "declared before unknown", observed: ["aa-unseen", "zz-mine"], text: "zz-mine,aa-unseen"),
            Row(label: "an observed ban", observed: ["did-ban"], text: "did-ban"),
            Row(label: "an unban without the ban", observed: ["did-ban", "did-unban"], text: "did-unban"),
        ]

        @Test("R7.2 flags-all holds the flags set, public-flags is another name for it", arguments: rows)
        func listOfFlags(_ row: Row) throws {
            let filters = [
                try Filter.exact("all", "flags-all", row.text), try Filter.exact("public", "public-flags", row.text),
                try Filter.regex("pattern", "flags-all", "^\(row.text)$"), try Filter.exact("other", "flags-all", "-"),
            ]
            var service = Service(try .sample(declaring: [FlagDeclaration(name: "zz-mine")], filters: filters))
            // New and known devices alike.
            for _ in 0..<2 {
                #expect(try service.attest(row.observed).filters == ["all", "public", "pattern"])
            }
        }

        @Test("R7.2 flags-all is the engine's, whatever else an attestation carries") func listIsTheEngines() throws {
            var service = Service(try .sample(filters: [.exact("rooted", "flags-all", "rooted")]))
            _ = service.symbols.attributes.key(named: "flags-all")
            #expect(try service.attest(with: ["flags-all": "rooted"]).filters == [])
            #expect(try service.attest(["rooted"], with: ["flags-all": ""]).filters == ["rooted"])
        }

        struct Seen: LabelledRow {
            let label: String
            let pattern: String
            let first: [String]
            let second: [String]
        }

        static let seen = [
            Seen(
                label: "a ban by filter only the next time", pattern: "did-ban", first: ["ban"],
                second: ["ban", "seen"]),
            Seen(label: "risk by filter never", pattern: "risky-device", first: ["ban"], second: ["ban"]),
            Seen(
                label: "what was observed at once", pattern: "automated", first: ["ban", "seen"],
                second: ["ban", "seen"]),
        ]

        @Test("R7.7 filters do not see what filters add", arguments: seen) func filtersDoNotSeeFilters(_ row: Seen)
            throws
        {
            for isAfter in [true, false] {
                var filters = [try Filter.exact("ban", "ip", "1.2.3.4", [.ban, .risky])]
                filters.insert(try .regex("seen", "flags-all", row.pattern), at: isAfter ? 1 : 0)
                var service = Service(try .sample(filters: filters))
                let first = try service.attest(["automated"], with: ["ip": "1.2.3.4"])
                let second = try service.attest(["automated"], with: ["ip": "1.2.3.4"])
                #expect(first.filters.sorted() == row.first)
                #expect(second.filters.sorted() == row.second)
                #expect(first.flags == ["automated", "did-ban", "new-did", "risky-device"])
            }
        }

        @Test("R7.7 filters see a ban and an unban by entry", arguments: BanMode.allCases)
        func filtersSeeEntries(mode: BanMode) throws {
            var account = try Account.sample(filters: [.exact("seen", "flags-all", "did-\(mode.rawValue)")])
            try account.append(account.entry(banMode: mode))
            var service = Service(account)
            #expect(try service.attest().filters == ["seen"])
        }

        @Test("R7.2 many different lists are told apart") func manyLists() throws {
            var service = Service(try .sample(filters: [.regex("rooted", "flags-all", "(^|,)rooted(,|$)")]))
            for number in 0..<512 {
                let flags = (0..<9).filter { number >> $0 & 1 == 1 }.map { FlagFacts.names[$0] }
                for _ in 0..<2 {
                    #expect(try service.attest(flags).filters == (number >> 4 & 1 == 1 ? ["rooted"] : []))
                }
            }
        }
    }
}
