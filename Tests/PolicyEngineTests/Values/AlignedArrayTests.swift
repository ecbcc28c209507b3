import Testing

@testable import PolicyEngine
@testable import TestSupport

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
        #expect(Array(aligned) == plain)
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
