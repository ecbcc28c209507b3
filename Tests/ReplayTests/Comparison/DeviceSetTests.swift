import Testing

@testable import Replay
@testable import TestSupport

@Suite struct DeviceSetTests {
    @Test("a set of devices is one, however many there are", arguments: [0, 1, 511, 512, 513, 3000])
    func agreesWithASet(count: Int) {
        var chance = Chance(seed: UInt64(count) + 1)
        var (devices, plain) = (DeviceSet(), Set<Int>())
        for _ in 0..<count {
            let device = chance.below(2 * count)
            devices.insert(device)
            plain.insert(device)
            devices.insert(device)
        }
        #expect(devices.count == plain.count)
        #expect(devices.elements.sorted() == plain.sorted())
    }
}
