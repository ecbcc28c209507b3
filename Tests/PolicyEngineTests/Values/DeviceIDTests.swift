import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R1.1 Device IDs") struct DeviceIDTests {
    struct Canonical: LabelledRow {
        let first: UInt64
        let second: UInt64
        let text: String

        var testDescription: String { text }
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
        #expect(made.description == row.text)
        #expect(DeviceID(row.text) == made)
        #expect(DeviceID(row.text)?.hash(seed: 7) == made.hash(seed: 7))
    }

    @Test("R1.1 any text of the form survives a round trip") func roundTrips() throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var chance = SplitMix64(seed: 11)
        for _ in 0..<500 {
            let text = String((0..<22).map { _ in chance.pick(alphabet) }) + "=="
            let device = try #require(DeviceID(text))
            #expect(device.description == text)
            var bytes: [UInt8] = []
            device.forEachByte { bytes.append($0) }
            #expect(bytes == Array(text.utf8))
        }
    }

    @Test("R1.1 the text is appended as it is", arguments: canonical) func appends(_ row: Canonical) throws {
        var bytes = Array("> ".utf8)
        try #require(DeviceID(row.text)).append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "> \(row.text)")
    }

    @Test("devices are spread over as many parts as are asked for", arguments: [1, 2, 3, 7]) func buckets(count: Int) {
        var sizes = Array(repeating: 0, count: count)
        var chance = SplitMix64(seed: 3)
        for _ in 0..<7000 {
            let id = DeviceID(first: chance.next(), second: chance.next())
            sizes[id.bucket(of: count)] += 1
            #expect(id.bucket(of: count) == id.bucket(of: count))
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
        #expect(seen.count == 128)
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
        #expect(DeviceID(bytes.span, range: 4..<28)?.description == Sample.device)
        #expect(DeviceID(bytes.span, range: 3..<27) == nil)
        #expect(DeviceID(bytes.span, range: 4..<27) == nil)
        #expect(DeviceID(bytes.span, range: 4..<29) == nil)
    }
}
