import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("The table of devices") struct DeviceTableTests {
    @Test("devices are numbered in order of first sight, over several growths") func numbersStay() {
        var table = DeviceTable()
        for round in 0..<2 {
            for number in 0..<5000 {
                let device = DeviceID(first: 7, second: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
                #expect(table.intern(device).offset == number, "round \(round)")
            }
        }
        #expect(table.count == 5000)
        for number in [0, 511, 512, 513, 4999] {
            let device = DeviceID(first: 7, second: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            #expect(table[DeviceIndex(number: UInt32(number))] == device)
            #expect(table.index(of: device)?.offset == number)
        }
    }

    @Test("a device that was never seen has no number") func unseenHasNoNumber() throws {
        var table = DeviceTable()
        let device = try #require(DeviceID(Sample.device))
        #expect(table.index(of: device) == nil)
        #expect(table.intern(device).offset == 0)
        #expect(table.index(of: device)?.offset == 0)
        #expect(table.index(of: try #require(DeviceID(Sample.otherDevice))) == nil)
    }

    @Test("devices that fall into one slot are told apart") func collisions() {
        // With 1024 slots the lower ten bits of the hash choose the slot.
        let seed = ByteHash.process.seed
        let crowd = (0..<200_000).lazy.map { DeviceID(first: 1, second: $0) }.filter { device in
            device.hash(seed: seed) & 1023 == 1023
        }
        let devices = Array(crowd.prefix(100))
        #expect(devices.count == 100)
        var table = DeviceTable()
        for (number, device) in devices.enumerated() {
            #expect(table.index(of: device) == nil)
            #expect(table.intern(device).offset == number)
        }
        for (number, device) in devices.enumerated() { #expect(table.intern(device).offset == number) }
    }

    @Test("numbers are ordered as devices were first seen") func order() throws {
        var table = DeviceTable()
        let first = table.intern(try #require(DeviceID(Sample.otherDevice)))
        let second = table.intern(try #require(DeviceID(Sample.device)))
        #expect(first < second)
        #expect(!(second < first))
    }
}
