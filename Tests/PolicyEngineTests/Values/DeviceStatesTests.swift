import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R6.5 what is remembered of devices") struct DeviceStatesTests {
    @Test("each device has the state that it was given last", arguments: [1, 2, 3, 4]) func keepsStates(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var states = DeviceStates()
        var expected = Array(repeating: DeviceState(), count: 300)
        for step in 0..<5000 {
            let device = DeviceIndex(offset: chance.below(300))
            var state = states[device]
            #expect(state == expected[device.offset])
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
            #expect(states.bannedCount == expected.count { $0.isBanned })
        }
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
