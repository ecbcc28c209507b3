import Testing

@testable import PolicyEngine
@testable import TestSupport

// R7.8 (what a client makes of a user property) is shown with the clients.
extension FilterTests {
    @Suite("R7.2 What matches") struct Matching {
        struct Row: LabelledRow {
            let label: String
            let wanted: String
            let value: String?
            let matches: Bool
        }

        static let exact = [
            Row(label: "the same", wanted: "1.2.3.4", value: "1.2.3.4", matches: true),
            Row(label: "longer", wanted: "1.2.3.4", value: "1.2.3.40", matches: false),
            Row(label: "shorter", wanted: "1.2.3.4", value: "1.2.3.", matches: false),
            Row(label: "inside", wanted: "2.3", value: "1.2.3.4", matches: false),
            Row(label: "a dot is a dot", wanted: "1.2.3.4", value: "1x2x3x4", matches: false),
            Row(label: "case counts", wanted: "Android", value: "android", matches: false),
            Row(label: "a space behind counts", wanted: "a", value: "a ", matches: false),
            Row(label: "no key", wanted: "1.2.3.4", value: nil, matches: false),
            Row(label: "empty wants empty", wanted: "", value: "", matches: true),
            Row(label: "empty wants the key", wanted: "", value: nil, matches: false),
            Row(label: "empty does not want more", wanted: "", value: "a", matches: false),
            Row(label: "one composed character", wanted: "caf\u{E9}", value: "caf\u{E9}", matches: true),
            Row(label: "looks alike, other bytes", wanted: "caf\u{E9}", value: "cafe\u{301}", matches: false),
            Row(label: "zero bytes", wanted: "a\0b", value: "a\0c", matches: false),
            Row(label: "special in patterns", wanted: "(a+)[", value: "(a+)[", matches: true),
            Row(label: "user property as it is", wanted: quoted, value: quoted, matches: true),
        ]
        static let quoted = "\"/\u{E9}\"" + String(repeating: "x", count: 200)

        @Test("R7.2 exact is byte for byte on the whole value", arguments: exact)
        func exactIsByteForByte(_ row: Row) throws {
            try Self.check(.exact("wanted", "user-property", row.wanted), row)
        }

        static let patterns = [
            Row(label: "the manual's, at the start", wanted: "Android 7", value: "Android 7.1, Nexus", matches: true),
            Row(label: "inside", wanted: "Android 7", value: "an Android 7 here", matches: true),
            Row(label: "case counts", wanted: "Android 7", value: "android 7", matches: false),
            Row(label: "unless the regex says otherwise", wanted: "(?i)Android 7", value: "ANDROID 7", matches: true),
            Row(label: "a dot is anything", wanted: "1.2", value: "1x2", matches: true),
            Row(label: "anchored", wanted: "^1\\.2", value: "11.2", matches: false),
            Row(label: "anchored both ways", wanted: "^a$", value: "aa", matches: false),
            Row(label: "empty finds itself anywhere", wanted: "", value: "abc", matches: true),
            Row(label: "even in an empty value", wanted: "", value: "", matches: true),
            Row(label: "but not without the key", wanted: "", value: nil, matches: false),
            Row(label: "empty value, anchored", wanted: "^$", value: "", matches: true),
            Row(label: "one character of two bytes", wanted: "^.$", value: "\u{E9}", matches: true),
            Row(label: "one character of four bytes", wanted: "^.$", value: "\u{1F600}", matches: true),
            Row(label: "two code points", wanted: "^.$", value: "e\u{301}", matches: false),
            Row(label: "by its number", wanted: "\\x{e9}", value: "caf\u{E9}", matches: true),
            Row(label: "in a class", wanted: "^[\u{E9}\u{E8}]$", value: "\u{E8}", matches: true),
            Row(label: "half of a character is nothing", wanted: "\u{C3}", value: "\u{E9}", matches: false),
            Row(label: "look ahead", wanted: "a(?!b)", value: "ab", matches: false),
            Row(label: "reference back", wanted: "(a|b)\\1", value: "abba", matches: true),
            Row(label: "zero bytes", wanted: "a\\x00b", value: "a\0b", matches: true),
        ]

        @Test("R7.2 regex is an unanchored search in UTF mode", arguments: patterns)
        func regexIsASearch(_ row: Row) throws {
            try Self.check(.regex("wanted", "user-property", row.wanted), row)
            if let value = row.value { #expect(try Pattern(row.wanted).isFound(in: value) == row.matches) }
        }

        private static func check(_ filter: Filter, _ row: Row) throws {
            // With every value kept, and with none kept.
            for keptValues in [Int.max, 0] {
                var service = Service(try .sample(filters: [filter]), keptValues: keptValues)
                let attributes = row.value.map { ["user-property": $0] } ?? ["ip": row.wanted]
                for _ in 0..<2 {
                    #expect(try service.attest(with: attributes).filters == (row.matches ? ["wanted"] : []))
                }
            }
        }

        @Test("R7.2 a value that is not UTF-8 is found by no pattern, and equals itself") func bytesThatAreNoText()
            throws
        {
            let bytes: [UInt8] = [0x61, 0xC3, 0x28]
            let filters = [try Filter.regex("any", "ip", ""), try Filter.regex("letter", "ip", "a")]
            var service = Service(try .sample(filters: filters))
            var attestation = Attestation(time: Sample.time, device: try service.index(of: Sample.device))
            let key = try #require(service.symbols.attributes.existingKey(named: "ip"))
            attestation.set(service.symbols.attributes.intern(bytes.span, range: 0..<3, for: key), for: key)
            let decision = service.decide(attestation)
            #expect(decision.filters.isEmpty)
            #expect(decision.limitHits.isEmpty)
        }

        /// The offsets are those that PCRE2's own tests give for such mistakes, in bytes.
        static let bad: [Case<String, Int>] = [
            Case("(abc", gives: 4),
            Case("abc)", gives: 3),
            Case("[abcd", gives: 5),
            Case("a[b-a]", gives: 4),
            Case("\u{E9}\u{E9}(", gives: 5),
            Case("*a", gives: 0),
            Case("a\\", gives: 2),
        ]

        @Test("R7.2 a bad pattern is an error with its offset when it is set", arguments: bad)
        func badPatternIsAnError(_ row: Case<String, Int>) throws {
            let problem = #expect(throws: PatternError.self) { try Pattern(row.input) }
            #expect(problem?.offset == row.expected)
            #expect(problem?.source == row.input)
            #expect(problem?.reason.isEmpty == false)
            #expect(problem?.description.contains("offset \(row.expected)") == true)
        }

        @Test("R7.2 \\C, which would cut characters, is an error", arguments: ["\\C", "a\\Cb", "(?:\\C)*"])
        func singleByteIsAnError(pattern: String) {
            #expect(throws: PatternError.self) { try Pattern(pattern) }
        }

        struct Limit: LabelledRow {
            let pattern: String
            let value: String
        }

        static let limits = [
            Limit(pattern: "(a+)+$", value: String(repeating: "a", count: 40) + "!"),
            Limit(pattern: "(a|aa)+$", value: String(repeating: "a", count: 60) + "!"),
            Limit(pattern: "^(([a-z])+.)+[A-Z]([a-z])+$", value: String(repeating: "a", count: 60)),
        ]

        @Test("R7.2 a limit hit counts as no match and is reported", arguments: limits)
        func limitHitIsNoMatch(_ row: Limit) throws {
            let filters = [
                try Filter.regex("costly", "ip", row.pattern, [.reject, .ban, .risky]),
                try Filter.regex("cheap", "ip", "a"),
            ]
            var service = Service(try .sample(filters: filters))
            for _ in 0..<2 {
                let observation = Observation(attributes: ["ip": row.value])
                let decision = try service.decide(observation)
                #expect(Array(decision.limitHits) == [0])
                #expect(Array(decision.filters) == [1])
                #expect(decision.passed)
            }
            #expect(try service.state() == [])
        }

        @Test("R7.2 a costly pattern still matches what it matches soon") func costlyPatternMatches() throws {
            var service = Service(try .sample(filters: [.regex("costly", "ip", "(a+)+$")]))
            let decision = try service.decide(Observation(attributes: ["ip": String(repeating: "a", count: 40)]))
            #expect(Array(decision.filters) == [0])
            #expect(decision.limitHits.isEmpty)
        }

        @Test("R7.2 long values do not hit a limit by their length alone") func longValuesAreSearched() throws {
            var service = Service(try .sample(filters: [.regex("end", "ip", "needle$")]))
            let value = String(repeating: "hay ", count: 100_000) + "needle"
            let decision = try service.decide(Observation(attributes: ["ip": value]))
            #expect(Array(decision.filters) == [0])
        }

        @Test("R7.2 ip is matched whatever the IP tracking policy", arguments: IPTracking.allCases)
        func ipIsMatched(tracking: IPTracking) throws {
            var account = try Account.sample(filters: [.exact("myip", "ip", "1.2.3.4")])
            account.ipTracking = tracking
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).filters == ["myip"])
        }

        @Test("R7.1 several filters look at one key, and one at each of several") func keysAreKeptApart() throws {
            let filters = [
                try Filter.exact("ip-a", "ip", "a"), try Filter.exact("device-a", "device", "a"),
                try Filter.regex("ip-any", "ip", "."), try Filter.regex("device-b", "device", "b"),
            ]
            var service = Service(try .sample(filters: filters))
            #expect(try service.attest(with: ["ip": "a", "device": "b"]).filters == ["ip-a", "ip-any", "device-b"])
            #expect(try service.attest(with: ["device": "a"]).filters == ["device-a"])
            #expect(try service.attest(with: ["ip": "b"]).filters == ["ip-any"])
        }
    }
}

extension FilterTests {
    @Suite("R7.2, R7.7 The key flags-all") struct FlagsAll {
        static let rows: [Case<[String], String>] = [
            Case("none is present and empty", [], gives: ""),
            Case("one", ["rooted"], gives: "rooted"),
            Case("catalogue order, without spaces", ["xposed", "rooted"], gives: "rooted,xposed"),
            Case("new-did is left out", ["new-did", "automated"], gives: "automated"),
            Case("risky-device is left out", ["risky-device", "frida"], gives: "frida"),
            Case("the two alone leave nothing", ["risky-device", "new-did"], gives: ""),
            Case(
                "the manual's sample",
                ["devicecheck-unavailable", "jailbroken", "init-config-outdated", "app-not-registered"],
                gives: "app-not-registered,jailbroken,init-config-outdated,devicecheck-unavailable"),
            Case("declared before unknown", ["aa-unseen", "zz-mine"], gives: "zz-mine,aa-unseen"),
            Case("an observed ban", ["did-ban"], gives: "did-ban"),
            Case("an unban without the ban", ["did-ban", "did-unban"], gives: "did-unban"),
        ]

        @Test("R7.2 flags-all holds the flags set, public-flags is another name for it", arguments: rows)
        func listOfFlags(_ row: Case<[String], String>) throws {
            let text = row.expected
            let filters = [
                try Filter.exact("all", "flags-all", text), try Filter.exact("public", "public-flags", text),
                try Filter.regex("pattern", "flags-all", "^\(text)$"), try Filter.exact("other", "flags-all", "-"),
            ]
            var service = Service(try .sample(declaring: [FlagDeclaration(name: "zz-mine")], filters: filters))
            // New and known devices alike.
            for _ in 0..<2 {
                #expect(try service.attest(row.input).filters == ["all", "public", "pattern"])
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

        @Test("R7.2 many different lists are distinguished") func manyLists() throws {
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
