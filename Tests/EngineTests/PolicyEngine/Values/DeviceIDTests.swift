import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R1.1 Device IDs") struct DeviceIDTests {
    struct Canonical: LabelledRow {
        let first: UInt64
        let second: UInt64
        let text: String
    }

    /// By Python's base64.
    static let canonical = [
        Canonical(first: 0, second: 0, text: "AAAAAAAAAAAAAAAAAAAAAA=="),
        Canonical(first: .max, second: .max, text: "/////////////////////w=="),
        Canonical(first: 0x0001_0203_0405_0607, second: 0x0809_0A0B_0C0D_0E0F, text: "AAECAwQFBgcICQoLDA0ODw=="),
        Canonical(first: 0x0123_4567_89AB_CDEF, second: 0xFEDC_BA98_7654_3210, text: "ASNFZ4mrze/+3LqYdlQyEA=="),
        Canonical(first: 0x8788_2E6D_F085_CC9B, second: 0xBCD6_3FD4_D812_6C76, text: "h4gubfCFzJu81j/U2BJsdg=="),
    ]

    @Test("R1.1 the ID of 16 bytes is their canonical base64", arguments: canonical)
    func canonicalText(_ row: Canonical) {
        let made = DeviceID(first: row.first, second: row.second)
        expect(made.description, equals: row.text)
        expect(DeviceID(row.text), equals: made)
        expect(DeviceID(row.text)?.hash(seed: 7), equals: made.hash(seed: 7))
    }

    @Test("R1.1 the bytes of an ID are those that its text stands for", arguments: canonical)
    func bytes(_ row: Canonical) {
        let expected = [row.first, row.second].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
        }
        expect(DeviceID(row.text)?.bytes, equals: expected)
    }

    @Test("R1.1 a text whose spare bits are set stands for no bytes", arguments: ["B", "P", "h"])
    func spareBits(last: String) {
        #expect(DeviceID("AAAAAAAAAAAAAAAAAAAAA\(last)==")?.bytes == nil)
    }

    @Test("R1.1 any text of the form survives a round trip") func roundTrips() throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var chance = SplitMix64(seed: 11)
        for _ in 0..<500 {
            let text = String((0..<22).map { _ in chance.pick(alphabet) }) + "=="
            let device = try #require(DeviceID(text))
            expect(device.description, equals: text)
            var bytes: [UInt8] = []
            device.forEachByte { bytes.append($0) }
            expect(bytes, equals: Array(text.utf8))
        }
    }

    @Test("R1.1 the text is appended as it is", arguments: canonical) func appends(_ row: Canonical) throws {
        var bytes = Array("> ".utf8)
        try #require(DeviceID(row.text)).append(to: &bytes)
        expect(String(decoding: bytes, as: UTF8.self), equals: "> \(row.text)")
    }

    @Test("devices are spread over as many parts as are asked for", arguments: [1, 2, 3, 7]) func buckets(count: Int) {
        var sizes = Array(repeating: 0, count: count)
        var chance = SplitMix64(seed: 3)
        for _ in 0..<7000 {
            let id = DeviceID(first: chance.next(), second: chance.next())
            sizes[id.bucket(of: count)] += 1
        }
        // A fair draw leaves no part with less than half its share once in a thousand years.
        #expect(sizes.allSatisfy { $0 > 3500 / count })
    }

    @Test("each part of a device has a say in its hash, however far it lies from the others") func hashes() {
        var (seen, highest): (Set<UInt64>, Set<UInt64>) = ([], [])
        for shift in stride(from: UInt64(0), to: 64, by: 1) {
            for id in [DeviceID(first: 1 << shift, second: 0), DeviceID(first: 0, second: 1 << shift)] {
                seen.insert(id.hash(seed: 7))
                highest.insert(id.hash(seed: 7) >> 52)
            }
        }
        expect(seen.count, equals: 128)
        // Of 128 draws of 4096, about 126 differ.
        #expect(highest.count > 110)
    }

    @Test("R1.1 each of the 22 characters counts", arguments: 0..<22) func everyCharacterCounts(position: Int) throws {
        var other = Array(Sample.device)
        other[position] = other[position] == "A" ? "B" : "A"
        #expect(try #require(DeviceID(String(other))) != #require(DeviceID(Sample.device)))
    }

    @Test("R1.1 every byte that is no character of base64 is refused") func otherBytesAreRefused() {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for byte in UInt8.min...UInt8.max {
            for position in [0, 7, 8, 15, 16, 21] {
                var bytes = Array(Sample.device.utf8)
                bytes[position] = byte
                #expect(
                    (DeviceID(bytes.span, range: 0..<24) != nil) == allowed.contains(byte), "\(byte) at \(position)")
            }
        }
    }

    @Test("R1.1 an ID inside other bytes") func insideBytes() {
        let bytes = Array("--- \(Sample.device) 2020".utf8)
        expect(DeviceID(bytes.span, range: 4..<28)?.description, equals: Sample.device)
        #expect(DeviceID(bytes.span, range: 3..<27) == nil)
        #expect(DeviceID(bytes.span, range: 4..<27) == nil)
        #expect(DeviceID(bytes.span, range: 4..<29) == nil)
    }
}

@Suite("The table of devices") struct DeviceTableTests {
    @Test("devices are numbered in order of first sight, over several growths") func numbersStay() {
        var table = DeviceTable()
        for round in 0..<2 {
            var wrong: [Int] = []
            for number in 0..<5000 {
                let device = DeviceID(first: 7, second: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
                if table.intern(device).offset != number { wrong.append(number) }
            }
            expect(wrong, equals: [], "round \(round)")
        }
        expect(table.count, equals: 5000)
        for number in [0, 511, 512, 513, 4999] {
            let device = DeviceID(first: 7, second: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            expect(table[DeviceIndex(number: UInt32(number))], equals: device)
            expect(table.index(of: device)?.offset, equals: number)
        }
    }

    @Test("a device that was never seen has no number") func unseenHasNoNumber() throws {
        var table = DeviceTable()
        let device = try #require(DeviceID(Sample.device))
        #expect(table.index(of: device) == nil)
        expect(table.intern(device).offset, equals: 0)
        expect(table.index(of: device)?.offset, equals: 0)
        #expect(table.index(of: try #require(DeviceID(Sample.otherDevice))) == nil)
    }

    @Test("devices that fall into one slot are distinguished") func collisions() {
        // With 1024 slots the lower ten bits of the hash choose the slot.
        let seed = ByteHash.process.seed
        let crowd = (0..<200_000).lazy.map { DeviceID(first: 1, second: $0) }.filter { device in
            device.hash(seed: seed) & 1023 == 1023
        }
        let devices = Array(crowd.prefix(100))
        expect(devices.count, equals: 100)
        var table = DeviceTable()
        for (number, device) in devices.enumerated() {
            #expect(table.index(of: device) == nil)
            expect(table.intern(device).offset, equals: number)
        }
        for (number, device) in devices.enumerated() { expect(table.intern(device).offset, equals: number) }
    }

    @Test("numbers are ordered as devices were first seen") func order() throws {
        var table = DeviceTable()
        let first = table.intern(try #require(DeviceID(Sample.otherDevice)))
        let second = table.intern(try #require(DeviceID(Sample.device)))
        #expect(first < second)
        #expect(!(second < first))
    }
}

@Suite("R6.5 what is remembered of devices") struct DeviceStatesTests {
    @Test("each device has the state that it was given last", arguments: [1, 2, 3, 4]) func keepsStates(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var states = DeviceStates()
        var expected = Array(repeating: DeviceState(), count: 300)
        var wrong: [Int] = []
        for step in 0..<5000 {
            let device = DeviceIndex(offset: chance.below(300))
            var state = states[device]
            if state != expected[device.offset] { wrong.append(step) }
            switch chance.below(8) {
            case 0: state.persist(.deviceBan)
            case 1: state.persist(.deviceUnban)
            case 2: state.clear()
            default: state.isKnown = true
            }
            states.prefetch(device)
            states[device] = state
            expected[device.offset] = state
            if step % 700 == 699 {
                states.clear()
                for offset in expected.indices { expected[offset].clear() }
            }
            if step % 900 == 899 {
                let linked = (0..<5).map { _ in chance.below(300) }
                states.link(linked.map { DeviceIndex(offset: $0) })
                for offset in expected.indices { expected[offset].entryNumber = 0 }
                for (number, offset) in linked.enumerated() { expected[offset].entryNumber = UInt8(number + 1) }
            }
            if step % 10 == 0, states.bannedCount != expected.count(where: \.isBanned) { wrong.append(step) }
        }
        expect(wrong, equals: [])
        #expect(expected.indices.allSatisfy { states[DeviceIndex(offset: $0)] == expected[$0] })
    }

    @Test("of a device that was never seen nothing is remembered") func unseen() {
        var states = DeviceStates()
        #expect(states[DeviceIndex(offset: 1_000_000)] == DeviceState() && states.bannedCount == 0)
        states[DeviceIndex(offset: 5)] = .attested
        #expect(states[DeviceIndex(offset: 5)].isKnown && !states[DeviceIndex(offset: 4)].isKnown)
        states.clear()
        #expect(!states[DeviceIndex(offset: 5)].isKnown)
    }
}

@Suite("Devices and shares, many at a time") struct NumberingTests {
    @Test("devices that are numbered together have the numbers that they have one by one") func together() {
        var (table, single) = (DeviceTable(), DeviceTable())
        var numbers: [DeviceIndex] = [DeviceIndex(number: 99)]
        for start in [0, 3, 1500, 0, 700] {
            // Some are new, some known, and one comes twice.
            let devices = (start..<start + 1000).map { DeviceID(first: 3, second: UInt64($0)) }
            let batch = devices + [devices[0]]
            table.intern(batch, into: &numbers)
            var expected: [DeviceIndex] = []
            for device in batch { expected.append(single.intern(device)) }
            expect(numbers, equals: expected)
        }
        #expect(table.count == single.count && table.count == 2500)
        table.intern([], into: &numbers)
        #expect(numbers.isEmpty)
    }

    struct Part: LabelledRow {
        let share: String
        let part, whole: Int
        /// −1 where the part is less than the share, 0 where it is just that, and 1 where it is more.
        let order: Int

        var testDescription: String { "\(part) of \(whole), \(share) %" }
    }

    static let parts = [
        Part(share: "25", part: 1, whole: 4, order: 0), Part(share: "25", part: 0, whole: 4, order: -1),
        Part(share: "25", part: 2, whole: 4, order: 1), Part(share: "33.333333333", part: 1, whole: 3, order: 1),
        Part(share: "33.333333334", part: 1, whole: 3, order: -1), Part(share: "0", part: 0, whole: 7, order: 0),
        Part(share: "0", part: 1, whole: 7, order: 1), Part(share: "100", part: 7, whole: 7, order: 0),
        Part(share: "50", part: 0, whole: 0, order: 0),
        Part(share: "0.000000001", part: 1, whole: 100_000_000_000, order: 0),
        Part(share: "50", part: 1 << 61, whole: 1 << 62, order: 0),
    ]

    @Test("a part is compared with a share exactly", arguments: parts) func shares(_ row: Part) throws {
        let share = try #require(Percentage(row.share))
        // The share is at least the part where the part is no more, and at most where it is no less.
        expect(share.isAtLeast(row.part, of: row.whole), equals: (row.order <= 0))
        expect(share.isAtMost(row.part, of: row.whole), equals: (row.order >= 0))
    }

    @Test("values that are kept hand over their bytes") func bytes() {
        var table = Interner(capacity: .max)
        for text in ["first", "", "é"] {
            let bytes = Array(text.utf8)
            _ = table.intern(bytes.span, range: 0..<bytes.count)
        }
        #expect((0..<3).map { String(decoding: table.bytes(ofValueAt: $0), as: UTF8.self) } == ["first", "", "é"])
    }

    @Test("keys that a population may give are those that do not follow from the record") func given() {
        expect(
            InformationKeys.given,
            equals: [
                "ip", "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version", "appid",
                "app-id-sig", "app-sig", "attest-reason", "app-cert", "probe-result", "user-property",
            ])
    }
}
