import Testing

@testable import PolicyEngine
@testable import TestSupport

// Exact values, patterns and lists of flags are shown by scenarios in Tests/Rules/R07, R7.8 (what a client makes of a user
// property) with the clients.
@Suite("R7 Filters") struct FilterTests {
    @Suite("R7.2 What matches") struct Matching {
        @Test("R7.2 filters match however few values are kept", arguments: [0, 1, .max]) func fewValues(count: Int)
            throws
        {
            let filters = [
                try Filter.exact("exact", "ip", "1.2.3.4"), try Filter.regex("regex", "ip", "^1"),
                try Filter.exact("zero", "ip", "a\0b"), try Filter.regex("zero-regex", "ip", "a\\x00b"),
                try Filter.regex("empty", "ip", ""),
            ]
            var service = Service(try .sample(filters: filters), keptValues: count)
            for _ in 0..<2 {
                for (value, found) in [
                    ("1.2.3.4", ["exact", "regex"]), ("1.2.3.40", ["regex"]), ("x1", []),
                    ("a\0b", ["zero", "zero-regex"]),
                    ("a\0c", []), ("", []),
                ] {
                    try expect(service.attest(with: ["ip": value]).filters, equals: found + ["empty"])
                }
                try expect(service.attest().filters, equals: [])
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

        @Test("R7.2 long values do not hit a limit by their length alone") func longValuesAreSearched() throws {
            var service = Service(try .sample(filters: [.regex("end", "ip", "needle$")]))
            let value = String(repeating: "hay ", count: 100_000) + "needle"
            let decision = try service.decide(Observation(attributes: ["ip": value]))
            expect(Array(decision.filters), equals: [0])
        }
    }

    @Suite("R7.2, R7.7 The key flags-all") struct FlagsAll {
        @Test("R7.2 flags-all holds flags that nobody declared behind those declared") func unknownFlags() throws {
            let filters = [
                try Filter.exact("all", "flags-all", "zz-mine,aa-unseen"), try Filter.regex("any", "flags-all", ""),
            ]
            var service = Service(try .sample(declaring: [FlagDeclaration(name: "zz-mine")], filters: filters))
            for _ in 0..<2 { try expect(service.attest(["aa-unseen", "zz-mine"]).filters, equals: ["all", "any"]) }
            try expect(service.attest().filters, equals: ["any"])
        }

        @Test("R7.2 flags-all is the engine's, whatever else an attestation carries") func listIsTheEngines() throws {
            var service = Service(try .sample(filters: [.exact("rooted", "flags-all", "rooted")]))
            _ = service.symbols.attributes.key(named: "flags-all")
            try expect(service.attest(with: ["flags-all": "rooted"]).filters, equals: [])
            try expect(service.attest(["rooted"], with: ["flags-all": ""]).filters, equals: ["rooted"])
        }

        @Test("R7.2 many different lists are distinguished") func manyLists() throws {
            var service = Service(try .sample(filters: [.regex("rooted", "flags-all", "(^|,)rooted(,|$)")]))
            for number in 0..<512 {
                let flags = (0..<9).filter { number >> $0 & 1 == 1 }.map { FlagFacts.names[$0] }
                for _ in 0..<2 {
                    try expect(service.attest(flags).filters, equals: (number >> 4 & 1 == 1 ? ["rooted"] : []))
                }
            }
        }
    }
}
