import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("The table of values") struct ValueTableTests {
    @Test("values are numbered in order of first sight, over several growths") func numbersStay() {
        var table = Interner(capacity: .max)
        for _ in 0..<2 {
            for number in 0..<1000 { expect(Self.intern("value \(number)", &table).offset, equals: number) }
        }
        for number in [0, 31, 32, 63, 64, 999] {
            expect(table.text(of: ValueNumber(offset: number)), equals: "value \(number)")
        }
    }

    @Test("texts that differ in one byte are distinguished", arguments: 0..<25) func lengths(length: Int) {
        var table = Interner(capacity: .max)
        let text = String(repeating: "a", count: length)
        let first = Self.intern(text, &table)
        #expect(first != .absent)
        #expect(Self.intern(text + "a", &table) != first)
        for position in 0..<length {
            var other = Array(text)
            other[position] = "b"
            #expect(Self.intern(String(other), &table) != first)
        }
        expect(Self.intern(text, &table), equals: first)
        expect(table.text(of: first), equals: text)
    }

    @Test("texts that look alike are distinguished by their bytes") func bytesCount() {
        var table = Interner(capacity: .max)
        #expect(Self.intern("caf\u{E9}", &table) != Self.intern("cafe\u{301}", &table))
    }

    @Test("the empty value is a value") func emptyIsAValue() {
        var table = Interner(capacity: .max)
        let empty = Self.intern("", &table)
        expect(empty.offset, equals: 0)
        expect(Self.intern("", &table), equals: empty)
        expect(table.text(of: empty), equals: "")
        expect(table.text(of: .absent), equals: "")
    }

    @Test("past its capacity values pass", arguments: [0, 1, 2, 5]) func valuesPass(capacity: Int) {
        var table = Interner(capacity: capacity)
        for number in 0..<capacity { expect(Self.intern("kept \(number)", &table).offset, equals: number) }
        for text in ["first to pass", "next", ""] {
            expect(Self.intern(text, &table), equals: .transient)
            expect(table.text(of: .transient), equals: text)
        }
        for number in 0..<capacity {
            expect(Self.intern("kept \(number)", &table).offset, equals: number)
            expect(table.text(of: ValueNumber(offset: number)), equals: "kept \(number)")
        }
        // A kept value leaves the one that passes alone.
        expect(table.text(of: .transient), equals: "")
    }

    @Test("a capacity that is raised keeps more") func capacityIsRaised() {
        var table = Interner(capacity: 1)
        expect(Self.intern("a", &table).offset, equals: 0)
        expect(Self.intern("b", &table), equals: .transient)
        table.capacity = .max
        expect(Self.intern("b", &table).offset, equals: 1)
        expect(table.text(of: ValueNumber(offset: 1)), equals: "b")
    }

    @Test("the bytes of a value are handed over whole") func bytesAreHandedOver() {
        var table = Interner(capacity: 1)
        for value in [Self.intern("kept", &table), Self.intern("passing value", &table)] {
            let (bytes, range) = table.index(of: value)
            expect(String(decoding: bytes[range], as: UTF8.self), equals: table.text(of: value))
        }
        #expect(table.index(of: .absent).range.isEmpty)
    }

    @Test("a value is a part of other bytes") func partOfBytes() {
        var table = Interner(capacity: .max)
        let bytes = Array("key: value\n".utf8)
        let value = table.intern(bytes.span, range: 5..<10)
        expect(table.text(of: value), equals: "value")
        expect(Self.intern("value", &table), equals: value)
    }

    @Test("a kept value is compared where it lies") func keptValueIsCompared() {
        var table = Interner(capacity: .max)
        for text in ["first", "", "third"] { _ = Self.intern(text, &table) }
        let bytes = Array("a first third".utf8)
        let isKept = { (offset: Int, range: Range<Int>) in table.isValue(offset, bytes.span, range: range) }
        #expect(isKept(0, 2..<7))
        #expect(isKept(1, 2..<2))
        #expect(isKept(2, 8..<13))
        #expect(!isKept(0, 2..<6))
        #expect(!isKept(2, 2..<7))
        #expect(!isKept(1, 0..<1))
    }

    @Test("the hash of a part of some bytes is that of the bytes alone", arguments: 0..<40)
    func hashOfAPart(length: Int) {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let hash = ByteHash.process.hash(text.span, range: 0..<length)
        for start in 1...9 {
            let framed = Array(repeating: UInt8(start), count: start) + text + [4, 5, 6]
            let hashInside = ByteHash.process.hash(framed.span, range: start..<start + length)
            expect(hashInside, equals: hash)
        }
        for position in 0..<length {
            var changed = text
            changed[position] ^= 1
            let other = ByteHash.process.hash(changed.span, range: 0..<length)
            #expect(other != hash, "byte \(position) counts")
        }
    }

    @Test("values with one and the same hash are distinguished") func collisions() {
        // The hash folds a product, so a word that cancels a factor makes it 0, whatever the other word.
        let crowd = (0..<200).map(Self.valueWithHashZero)
        #expect(crowd.allSatisfy { ByteHash.process.hash($0.span, range: 0..<16) == 0 })
        var table = Interner(capacity: .max)
        for (number, value) in crowd.enumerated() {
            expect(table.intern(value.span, range: 0..<16).offset, equals: number)
        }
        for (number, value) in crowd.enumerated() {
            expect(table.intern(value.span, range: 0..<16).offset, equals: number)
        }
    }

    // Looks up `kept` as often as `hits` says, and then `misses` values that are not there, in a table of one value.
    private static func look(_ hits: Int, _ misses: Int, _ table: inout Interner) {
        for _ in 0..<hits { expect(intern("kept", &table).offset, equals: 0) }
        for number in 0..<misses { expect(intern("other \(number)", &table), equals: .transient) }
    }

    @Test("a table in which more than every fourth of 16 384 lookups is a miss is given up") func givenUp() {
        var table = Interner(capacity: 1)
        _ = Self.intern("kept", &table)
        // 4096 of 16 384 are just every fourth.
        Self.look(12_288, 4096, &table)
        Self.look(12_288, 4096, &table)
        expect(Self.intern("kept", &table).offset, equals: 0)
        // The lookup before counts among the next ones.
        Self.look(12_286, 4096, &table)
        expect(Self.intern("x", &table), equals: .transient)
        expect(Self.intern("kept", &table), equals: .transient)
        var second = Interner(capacity: 1)
        _ = Self.intern("kept", &second)
        Self.look(12_287, 4096, &second)
        expect(Self.intern("x", &second), equals: .transient)
        expect(Self.intern("kept", &second), equals: .transient)
        expect(second.text(of: .transient), equals: "kept")
    }

    private static func intern(_ text: String, _ table: inout Interner) -> ValueNumber {
        let bytes = Array(text.utf8)
        return table.intern(bytes.span, range: 0..<bytes.count)
    }

    private static func valueWithHashZero(_ number: Int) -> [UInt8] {
        [ByteHash.process.first, UInt64(number)].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }
}

@Suite("The table of attributes") struct AttributeTableTests {
    @Test("keys have places in the order in which they were asked for") func keysHavePlaces() {
        var table = AttributeTable()
        #expect(table.existingKey(named: "ip") == nil)
        expect(table.key(named: "ip").index, equals: 0)
        expect(table.key(named: "device").index, equals: 1)
        expect(table.key(named: "ip").index, equals: 0)
        expect(table.existingKey(named: "device")?.index, equals: 1)
        expect(table.keyCount, equals: 2)
        expect(table.keys.map(\.name), equals: ["ip", "device"])
        expect(table.keys.map(\.key.index), equals: [0, 1])
    }

    @Test("values are numbered for each key apart") func valuesByKey() {
        var table = AttributeTable()
        let (ip, device) = (table.key(named: "ip"), table.key(named: "device"))
        expect(table.intern("a", for: ip).offset, equals: 0)
        expect(table.intern("b", for: ip).offset, equals: 1)
        expect(table.intern("b", for: device).offset, equals: 0)
        expect(table.text(of: ValueNumber(offset: 1), for: ip), equals: "b")
        expect(table.text(of: ValueNumber(offset: 0), for: device), equals: "b")
    }

    @Test("a key may keep everything, whatever the capacity") func keepingAll() {
        var table = AttributeTable(capacity: 1)
        let (short, long) = (table.key(named: "short"), table.key(named: "long", keepingAll: true))
        let numbers = (0..<3).map { (table.intern("\($0)", for: short), table.intern("\($0)", for: long)) }
        expect(numbers.map(\.0), equals: [ValueNumber(offset: 0), .transient, .transient])
        expect(numbers.map(\.1.offset), equals: [0, 1, 2])
        // Asking again does not take it back.
        _ = table.key(named: "long")
        expect(table.intern("3", for: long).offset, equals: 3)
        _ = table.key(named: "short", keepingAll: true)
        expect(table.intern("1", for: short).offset, equals: 1)
    }

    @Test("passing values of two keys do not disturb each other") func transientByKey() {
        var table = AttributeTable(capacity: 0)
        let (ip, device) = (table.key(named: "ip"), table.key(named: "device"))
        let (first, second) = (table.intern("1.2.3.4", for: ip), table.intern("Android", for: device))
        expect(table.text(of: first, for: ip), equals: "1.2.3.4")
        expect(table.text(of: second, for: device), equals: "Android")
    }

    @Test("an attestation has the values that were set") func attestationValues() throws {
        var table = AttributeTable()
        let keys = ["a", "b", "c"].map { table.key(named: $0) }
        var devices = DeviceTable()
        let device = devices.intern(try #require(DeviceID(Sample.device)))
        var attestation = Attestation(time: Sample.time, device: device)
        expect(attestation.value(of: keys[2]), equals: .absent)
        attestation.set(table.intern("x", for: keys[2]), for: keys[2])
        expect(attestation.value(of: keys[0]), equals: .absent)
        expect(attestation.value(of: keys[2]).offset, equals: 0)
        attestation.removeAttributes()
        expect(attestation.value(of: keys[2]), equals: .absent)
        #expect(attestation.flags.isEmpty)
    }

    @Test("filters that come later find the values of attestations to come") func laterFilters() throws {
        let account = try Account.sample()
        var service = Service(account)
        try expect(service.attest(with: ["ip": "1.2.3.4"]).filters, equals: [])
        service.change(to: try account.changed { try $0.set(.exact("myip", "ip", "1.2.3.4")) })
        try expect(service.attest(with: ["ip": "1.2.3.4"]).filters, equals: ["myip"])
        service.change(to: try account.changed { try $0.set(.exact("myip", "ip", "5.6.7.8")) })
        try expect(service.attest(with: ["ip": "1.2.3.4"]).filters, equals: [])
        try expect(service.attest(with: ["ip": "5.6.7.8"]).filters, equals: ["myip"])
    }

    @Suite("Attributes of which few values matter") struct Narrowing {
        private let wanted = [Array("arm64".utf8), Array("x86".utf8), Array("".utf8)]

        @Test("values that matter have numbers, the others are one and the same") func othersAreOne() {
            var table = AttributeTable(capacity: 100)
            let key = table.key(named: "archid")
            table.narrow(key, to: wanted)
            expect(table.intern("arm64", for: key).offset, equals: 0)
            expect(table.intern("x86", for: key).offset, equals: 1)
            expect(table.intern("", for: key).offset, equals: 2)
            for text in ["x87", "x8", "x866", "arm65", "é"] { expect(table.intern(text, for: key), equals: .other) }
            #expect(table.text(of: .other, for: key).isEmpty)
        }

        @Test("what others need stays whole, whoever asks first") func wideStaysWide() {
            var table = AttributeTable(capacity: 100)
            let first = table.key(named: "appid", keepingAll: true)
            table.narrow(first, to: wanted)
            let second = table.key(named: "device")
            table.narrow(second, to: wanted)
            table.widen(second)
            table.narrow(second, to: wanted)
            for key in [first, second] {
                let number = table.intern("Android 8", for: key)
                expect(table.text(of: number, for: key), equals: "Android 8")
            }
        }

        @Test("a table that keeps all values is never narrowed") func populationsKeepAll() {
            var table = AttributeTable()
            let key = table.key(named: "archid")
            table.narrow(key, to: wanted)
            let number = table.intern("mips", for: key)
            expect(table.text(of: number, for: key), equals: "mips")
        }

        @Test("R7.2 exact filters match alike on narrow, wide and kept values", arguments: [0, 1, .max])
        func filtersMatchAlike(capacity: Int) throws {
            var account = Account(name: "narrow")
            try account.append(Filter(name: "exact", test: .exact(key: "archid", value: "x86")))
            try account.append(Filter(name: "other", test: .exact(key: "archid", value: "arm64")))
            var symbols = SymbolTable(catalogue: account.catalogue, keptValues: capacity)
            var engine = Engine(account: account, symbols: &symbols)
            let key = symbols.attributes.key(named: "archid")
            let device = try #require(DeviceID("h4gubfCFzJu81j/U2BJsdg=="))
            var attestation = Attestation(
                time: Instant(secondsSinceEpoch: 0), device: symbols.devices.intern(device))
            for (text, names) in [
                ("x86", ["exact"]), ("x8", []), ("arm64", ["other"]), ("mips", []), ("x86", ["exact"]),
            ] {
                attestation.set(symbols.attributes.intern(text, for: key), for: key)
                let decision = engine.attest(attestation, symbols: symbols)
                expect(engine.filterNames(decision.filters, of: decision), equals: names)
            }
        }
    }
}

@Suite("Numbers of keys") struct NumberedKeyTests {
    @Test("keys are numbered in order of first sight, over several growths") func numbersStay() {
        var table = Numbering<UInt64>()
        for _ in 0..<2 {
            for number in 0..<2000 { expect(table.number(of: UInt64(number) << 32 | 5), equals: number) }
        }
        expect(table.count, equals: 2000)
        expect(table.keys[1999], equals: 1999 << 32 | 5)
    }

    struct Row: LabelledRow {
        let label: String
        let keys: [UInt64]
    }

    static let rows = [
        Row(label: "neighbours", keys: Array(0..<200)),
        Row(label: "ends of the range", keys: [0, .max, 1, .max - 1, 1 << 63]),
        Row(label: "what hashes to nothing", keys: [0x9E37_79B9_7F4A_7C15, 0, 0x9E37_79B9_7F4A_7C14]),
        Row(label: "multiples of the first size", keys: (0..<200).map { $0 * 64 }),
        Row(label: "upper bits only", keys: (0..<200).map { $0 << 56 }),
    ]

    @Test("every key keeps its own number", arguments: rows) func keysAreToldApart(_ row: Row) {
        var table = Numbering<UInt64>()
        for (number, key) in row.keys.enumerated() { expect(table.number(of: key), equals: number) }
        for (number, key) in row.keys.enumerated() { expect(table.number(of: key), equals: number) }
        expect(table.keys, equals: row.keys)
        for (number, key) in row.keys.enumerated() { expect(table.known(key), equals: number) }
        #expect(table.known(0xABCD_EF01_2345_6789) == nil && table.count == row.keys.count)
    }
}
