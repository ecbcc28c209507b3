import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct HeapTests {
    @Test(arguments: 0...20 as ClosedRange<UInt64>) func givesTheLeastFirst(seed: UInt64) {
        var generator = SeededGenerator(seed: seed, path: "heap")
        var (heap, left) = (Heap<Int>(), [Int]())
        for _ in 0..<200 {
            if generator.next() % 3 == 0 {
                #expect(heap.least == left.min())
                let least = heap.popLeast()
                #expect(least == left.min())
                if let index = left.firstIndex(where: { $0 == least }) { left.remove(at: index) }
            } else {
                let value = Int(generator.next() % 50)
                heap.insert(value)
                left.append(value)
            }
        }
        var rest: [Int] = []
        while let least = heap.popLeast() { rest.append(least) }
        #expect(rest == left.sorted())
    }

    @Test func ofNothingThereIsNoLeast() {
        var heap = Heap<Int>()
        #expect(heap.least == nil)
        #expect(heap.popLeast() == nil)
    }
}
