import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// A ring against an array that keeps everything.
@Suite struct RingTests {
    @Test(arguments: [1, 2, 3, 7, 100]) func keepsTheLatestInTheirOrder(capacity: Int) {
        var ring = Ring<Int>(capacity: capacity)
        #expect(ring.inOrder == [])
        for number in 0..<(3 * capacity + 2) {
            ring.append(number)
            #expect(ring.inOrder == Array(max(0, number + 1 - capacity)...number))
        }
    }

    @Test(arguments: 0..<50) func agreesWithAnArray(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed), path: "ring")
        let capacity = Int(generator.next() % 20) + 1
        var (ring, all) = (Ring<UInt64>(capacity: capacity), [UInt64]())
        for _ in 0..<200 {
            if generator.next() % 40 == 0 {
                ring.removeAll()
                all.removeAll()
            } else {
                let element = generator.next()
                ring.append(element)
                all.append(element)
            }
            #expect(ring.inOrder == Array(all.suffix(capacity)))
        }
    }

    @Test func copiesAreApart() {
        var ring = Ring<Int>(capacity: 2)
        ring.append(1)
        var copy = ring
        copy.append(2)
        copy.append(3)
        ring.removeAll()
        #expect(ring.inOrder == [])
        #expect(copy.inOrder == [2, 3])
    }

    @Test func theServiceKeepsWhatTheManualSays() {
        // "Only the information for the last 100 new devices is held", "for the last 1000 requests".
        #expect(InformationLog.deviceLimit == 100)
        #expect(InformationLog.fetchLimit == 1000)
    }
}
