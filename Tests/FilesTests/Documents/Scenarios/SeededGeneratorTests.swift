import Testing

@testable import Documents
@testable import TestSupport

@Suite struct SeededGeneratorTests {
    @Test func isSplitMix64() {
        // The first numbers of SplitMix64 from 0, as its reference implementation prints them.
        var generator = SeededGenerator(seed: 0)
        let numbers = (0..<3).map { _ in generator.next() }
        expect(numbers, equals: [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
    }

    @Test func pathsSeedsAndOrderTellGeneratorsApart() {
        var generators = [
            SeededGenerator(seed: 1), SeededGenerator(seed: 2), SeededGenerator(seed: 1, path: "a"),
            SeededGenerator(seed: 2, path: "a"), SeededGenerator(seed: 1, path: "a", "b"),
            SeededGenerator(seed: 1, path: "b", "a"), SeededGenerator(seed: 1, path: "ab"),
            SeededGenerator(seed: 1, path: "ab", ""), SeededGenerator(seed: 1, path: "", "ab"),
        ]
        let numbers = generators.indices.map { generators[$0].next() }
        expect(Set(numbers).count, equals: numbers.count)
    }
}
