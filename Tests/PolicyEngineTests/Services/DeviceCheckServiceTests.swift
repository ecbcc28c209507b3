import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R8.3 Apple's side of DeviceCheck") struct DeviceCheckServiceTests {
    private let july = CalendarMonth(of: Sample.time)

    @Test("R8.3 a device that was never set is not found") func notFound() {
        let apple = DeviceCheckService()
        #expect(apple.query(PhysicalDevice(number: 1), team: "TEAM") == nil)
    }

    @Test("R8.3 bits are kept with the month of their change", arguments: UInt8(0)...3) func bitsAreKept(bits: UInt8) {
        var apple = DeviceCheckService()
        apple.update(PhysicalDevice(number: 1), team: "TEAM", bits: bits, in: july)
        let setting = apple.query(PhysicalDevice(number: 1), team: "TEAM")
        #expect(setting?.bits == bits)
        #expect(setting?.changed.description == "2020-07")
    }

    @Test("R8.3, R8.10 by device and by team") func devicesAndTeamsAreApart() {
        var apple = DeviceCheckService()
        for (number, team) in [(UInt32(1), "A"), (2, "A"), (1, "B")] {
            apple.update(PhysicalDevice(number: number), team: team, bits: team == "B" ? 3 : UInt8(number), in: july)
        }
        #expect(apple.query(PhysicalDevice(number: 1), team: "A")?.bits == 1)
        #expect(apple.query(PhysicalDevice(number: 2), team: "A")?.bits == 2)
        #expect(apple.query(PhysicalDevice(number: 1), team: "B")?.bits == 3)
        #expect(apple.query(PhysicalDevice(number: 2), team: "B") == nil)
    }

    @Test("R8.3 a change replaces bits and month, also when the bits are the same") func changesReplace() throws {
        var apple = DeviceCheckService()
        let device = PhysicalDevice(number: 1)
        let march = try #require(CalendarMonth("2018-03"))
        apple.update(device, team: "TEAM", bits: 2, in: march)
        #expect(apple.query(device, team: "TEAM") == DeviceCheckSetting(bits: 2, changed: march))
        apple.update(device, team: "TEAM", bits: 2, in: july)
        #expect(apple.query(device, team: "TEAM") == DeviceCheckSetting(bits: 2, changed: july))
        apple.update(device, team: "TEAM", bits: 0, in: july)
        #expect(apple.query(device, team: "TEAM") == DeviceCheckSetting(bits: 0, changed: july))
    }

    @Test("R8.3 there are two bits, and no more") func twoBits() {
        #expect(DeviceCheckSetting(bits: 4, changed: july).bits == 3)
        #expect(DeviceCheckSetting(bits: 255, changed: july).bits == 3)
    }
}
