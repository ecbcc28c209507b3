import Testing

@testable import Columns
@testable import Replay
@testable import TestSupport

/// Texts that several workers give are numbered in the order in which they come, each once.
@Suite struct TextNumbersTests {
    @Test(arguments: UInt64(1)...60) func eachTextHasOneNumber(seed: UInt64) {
        var (chance, numbers, expected) = (Chance(seed: seed), TextNumbers(), [String]())
        // Each giver gives a text once. A later one may take the place of one that is not heard of any more.
        var given: [Set<String>] = [[]]
        for _ in 0..<chance.pick([5, 200, 600]) {
            if chance.happens(5) { given.append([]) }
            let giver = chance.happens(70) ? given.count - 1 : chance.below(given.count)
            let text = "t\(chance.below(150))"
            guard given[giver].insert(text).inserted else { continue }
            if !expected.contains(text) { expected.append(text) }
            let bytes = Array("<\(text)>".utf8)
            let number = numbers.number(of: bytes.span, 1..<bytes.count - 1, from: giver)
            #expect(Int(number) == expected.firstIndex(of: text))
            if numbers.areOnly(from: giver) {
                #expect(giver == 0 && given[0].count == numbers.count)
            }
        }
        let list = numbers.list
        #expect((0..<list.count).map { String(decoding: list[$0], as: UTF8.self) } == expected)
        #expect(list.byteCount == expected.reduce(0) { $0 + $1.utf8.count })
    }
}
