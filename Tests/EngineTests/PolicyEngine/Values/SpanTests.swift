import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Bytes") struct SpanTests {
    private static func begins(_ text: String, with prefix: StaticString) -> Bool {
        Array(text.utf8).span.begins(with: prefix)
    }

    @Test("bytes begin with a text, or differ in any of its bytes") func begins() {
        #expect(Self.begins("captured: x", with: "captured:"))
        #expect(Self.begins("captured:", with: "captured:"))
        #expect(Self.begins("captured", with: ""))
        for text in ["captured", "xaptured:", "capturex:", "captured;", "", "c"] {
            #expect(!Self.begins(text, with: "captured:"), "\(text)")
        }
    }

    private static func isASCII(_ bytes: [UInt8]) -> Bool { bytes.span.isASCII }

    @Test("a single byte that is not ASCII is seen wherever it is", arguments: 0..<34) func ascii(length: Int) {
        let text = [UInt8](repeating: 0x7F, count: length)
        #expect(Self.isASCII(text))
        for position in 0..<length {
            for byte in [UInt8(0x80), 0xFF, 0xC3] {
                var other = text
                other[position] = byte
                #expect(!Self.isASCII(other), "\(byte) at \(position) of \(length)")
            }
        }
    }

    // True if a part of some bytes is the same as a part of others.
    private static func isSame(_ left: [UInt8], _ range: Range<Int>, _ right: [UInt8], _ other: Range<Int>) -> Bool {
        left.span.hasSameBytes(in: range, as: right.span, in: other)
    }

    @Test(
        "parts are the same in all of their bytes, of any length", arguments: [0, 1, 7, 8, 9, 16, 63, 64, 65, 66, 200])
    func sameBytes(length: Int) {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        // At different offsets of different memory, with other bytes around.
        let (left, right) = ([9, 9, 9] + text + [1], [5] + text + [2, 2])
        let (first, second) = (3..<3 + length, 1..<1 + length)
        #expect(Self.isSame(left, first, right, second))
        for position in 0..<length {
            var other = right
            other[1 + position] ^= 0x80
            #expect(!Self.isSame(left, first, other, second), "byte \(position)")
        }
        // Another length, and a part that does not lie inside.
        #expect(!Self.isSame(left, first, right, 1..<2 + length))
        #expect(!Self.isSame(left, 3..<5 + length, right, 1..<3 + length))
        let isWhole = text.span.hasSameBytes(as: Array(left[first]).span)
        #expect(isWhole)
    }

    @Test("eight bytes are a number, the first the lowest") func words() {
        let bytes: [UInt8] = [0xFF, 1, 2, 3, 4, 5, 6, 7, 8]
        let words = (bytes.span.word(at: 1), bytes.span.word(at: 0))
        #expect(words == (0x0807_0605_0403_0201, 0x0706_0504_0302_01FF))
    }

    @Test("kinds of bytes at their bounds") func kinds() {
        let of = { (isKind: (UInt8) -> Bool) in String(decoding: (UInt8.min...UInt8.max).filter(isKind), as: UTF8.self)
        }
        let (digits, upper, lower) = ("0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
        expect(of(\.isDigit), equals: digits)
        expect(of(\.isLowercaseLetter), equals: lower)
        expect(of(\.isLetter), equals: upper + lower)
        expect(of(\.isHexDigit), equals: digits + "ABCDEFabcdef")
        expect(of(\.isBase64Digit), equals: "+/" + digits + upper + lower)
    }

    @Test("a part is copied behind what is there") func append() {
        var array: [UInt8] = [1]
        let bytes: [UInt8] = [7, 8, 9]
        bytes.span.append(1..<3, to: &array)
        bytes.span.append(0..<0, to: &array)
        bytes.span.append(0..<3, to: &array)
        expect(array, equals: [1, 8, 9, 7, 8, 9])
    }
}

@Suite("Arrays that start at the start of a line of the cache") struct AlignedArrayTests {
    // 24 bytes, so that some elements lie in two lines.
    private struct Element: BitwiseCopyable, Hashable, Sendable {
        var (first, second, third): (UInt64, UInt64, UInt64)
    }

    private static func element(_ number: Int) -> Element {
        Element(first: UInt64(number), second: ~UInt64(number), third: 7)
    }

    private static func isAligned(_ array: AlignedArray<Element>) -> Bool {
        unsafe array.withUnsafeStart { UInt(bitPattern: $0) % 64 == 0 }
    }

    @Test("it holds what an array holds, at the start of a line, whatever it grows to", arguments: [1, 2, 3])
    func agreesWithArrays(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var (aligned, plain) = (AlignedArray<Element>(), [Element]())
        // Past the size from which on the allocator gives blocks pages of their own.
        while plain.count < 60_000 {
            let number = plain.count
            switch chance.below(3) {
            case 0:
                aligned.append(Self.element(number))
                plain.append(Self.element(number))
            case 1:
                let count = chance.below(200)
                aligned.append(repeating: Self.element(number), count: count)
                plain += Array(repeating: Self.element(number), count: count)
            default:
                if plain.isEmpty { continue }
                let index = chance.below(plain.count)
                aligned[index].third += 1
                plain[index].third += 1
                aligned.prefetch(index)
            }
            #expect(aligned.count == plain.count && Self.isAligned(aligned))
        }
        expect(Array(aligned), equals: plain)
    }

    @Test("a copy keeps what it had") func copies() {
        var first = AlignedArray<Element>()
        first.append(repeating: Self.element(1), count: 100)
        var second = first
        second[3].third = 0
        first.append(Self.element(2))
        let third = second
        second[4].third = 1
        unsafe second.withUnsafeMutableStart { unsafe $0[5].third = 2 }
        #expect(first.count == 101 && second.count == 100)
        #expect(first[3].third == 7 && first[4].third == 7 && first[5].third == 7)
        #expect(second[3].third == 0 && second[4].third == 1 && second[5].third == 2)
        #expect(third[3].third == 0 && third[4].third == 7 && third[5].third == 7)
        #expect(Self.isAligned(second) && Self.isAligned(third))
    }

    @Test("one without elements is an empty collection") func empty() {
        var array = AlignedArray<UInt8>()
        #expect(array.isEmpty && Array(array) == [])
        array.append(repeating: 1, count: 0)
        #expect(array.isEmpty)
    }

    @Test("there is nothing behind the last element") func bounds() async {
        await #expect(processExitsWith: .failure) {
            var array = AlignedArray<UInt8>()
            array.append(1)
            array[1] = 2
        }
        await #expect(processExitsWith: .failure) {
            var array = AlignedArray<UInt8>()
            array.append(1)
            array.prefetch(-1)
        }
    }
}
