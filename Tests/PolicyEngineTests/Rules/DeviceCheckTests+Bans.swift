import Testing

@testable import PolicyEngine
@testable import TestSupport

extension DeviceCheckTests {
    @Suite("R8.4–R8.9 Bans of a device") struct Bans {
        static let stories = [
            Row(
                label: "R8.4 devicecheck-ban shows from the next DeviceCheck on",
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .ban,
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("1 of 2020-07"),
                    .launch, .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .reinstall,
                    .attests(["new-did", "devicecheck-completed", "devicecheck-ban"], rejecting: ["devicecheck-ban"]),
                    .attests(["devicecheck-completed", "devicecheck-ban"], rejecting: ["devicecheck-ban"]),
                    .keeps(["devicecheck-completed", "devicecheck-ban"]),
                ]),
            Row(
                label: "R8.4, R10 a pending ban (3) comes before the DeviceCheck (4) of the same attestation",
                steps: [
                    .ban,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .keeps(["did-ban", "devicecheck-completed", "devicecheck-ban"]),
                ]),
            Row(
                label: "R8.4, R10 a ban by filter (8) comes after the DeviceCheck (4) of the same attestation",
                steps: [
                    .banningFilter(true),
                    .attests(["did-ban", "new-did", "devicecheck-completed"], rejecting: ["did-ban"]),
                    .apple("1 of 2020-07"), .banningFilter(false), .reinstall,
                    .attests(["new-did", "devicecheck-completed", "devicecheck-ban"], rejecting: ["devicecheck-ban"]),
                ]),
            Row(
                label: "R8.4 a ban that exists writes nothing again, so the month stays",
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .ban,
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("1 of 2020-07"),
                    .wait(months: 1), .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]),
                    .apple("1 of 2020-07"), .wait(months: 12),
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("1 of 2020-07"),
                    // Thirteen months later the setting is too old (R8.3).
                    .reinstall, .attests(["new-did", "devicecheck-completed"]),
                ]),
            Row(
                label: "R8.4 nor does one of a filter",
                steps: [
                    .banningFilter(true),
                    .attests(["did-ban", "new-did", "devicecheck-completed"], rejecting: ["did-ban"]),
                    .apple("1 of 2020-07"), .wait(months: 2),
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("1 of 2020-07"),
                ]),
            Row(
                label: "R8.4 nor where the filter meets what an entry banned",
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .ban,
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .removeEntry,
                    .banningFilter(true), .wait(months: 2),
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("1 of 2020-07"),
                ]),
            Row(
                label: "R8.4 what was cleared is banned anew, and so is another device ID",
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .banningFilter(true),
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("1 of 2020-07"),
                    .wait(months: 1), .clear,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .apple("1 of 2020-08"), .wait(months: 1), .reinstall,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .apple("1 of 2020-09"),
                ]),
            Row(
                label: "R6.4 a ban that does not count does not reach Apple, by entry",
                steps: [
                    .unban, .attests(["did-unban", "new-did", "devicecheck-completed"]), .apple("0 of 2020-07"), .ban,
                    .attests(["did-unban", "devicecheck-completed"]), .apple("0 of 2020-07"), .reinstall,
                    .attests(["new-did", "devicecheck-completed"]),
                ]),
            Row(
                label: "R6.4 nor by filter",
                steps: [
                    .unban, .attests(["did-unban", "new-did", "devicecheck-completed"]), .removeEntry,
                    .banningFilter(true), .attests(["did-unban", "devicecheck-completed"]), .apple("0 of 2020-07"),
                ]),
            Row(
                label: "R8.5 launches and installs that keep the ID do not count, nor do ones that never attest",
                bits: .both,
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .launch, .attests(["devicecheck-completed"]),
                    .reinstallKeepingID, .attests(["devicecheck-completed"]), .reinstall, .reinstall, .reinstall,
                    .attests(["new-did", "devicecheck-completed"]), .apple("1 of 2020-07"),
                ]),
            Row(
                label: "R8.5 a DeviceCheck that did not complete does not count, the one that does counts once",
                bits: .both, answering: .unavailable,
                steps: [
                    .attests(["new-did", "devicecheck-unavailable"]), .apple(nil), .answers(.available), .launch,
                    .attests(["devicecheck-completed"]), .apple("0 of 2020-07"), .launch,
                    .attests(["devicecheck-completed"]), .apple("0 of 2020-07"),
                ]),
            Row(
                label: "R8.5 a manual ban writes 3", bits: .both,
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .ban,
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("3 of 2020-07"),
                    .reinstall,
                    .attests(["new-did", "devicecheck-completed", "devicecheck-ban"], rejecting: ["devicecheck-ban"]),
                ]),
            Row(
                label: "R8.3, R8.5 a counter that is too old starts again", bits: .both,
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .reinstall,
                    .attests(["new-did", "devicecheck-completed"]), .reinstall,
                    .attests(["new-did", "devicecheck-completed"]), .apple("2 of 2020-07"), .wait(months: 13),
                    .reinstall, .attests(["new-did", "devicecheck-completed"]), .apple("0 of 2021-08"),
                ]),
            Row(
                label: "R8.3 a ban of the device ends with its expiry for new device IDs, not for those that have it",
                steps: [
                    .ban,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .removeEntry, .wait(months: 13), .launch,
                    .attests(
                        ["did-ban", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .reinstall, .attests(["new-did", "devicecheck-completed"]),
                ]),
            Row(
                label: "R8.6 an unban clears the bit, removes devicecheck-ban and persists did-unban",
                steps: [
                    .ban,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .unban, .attests(["did-unban", "devicecheck-completed"]), .apple("0 of 2020-07"),
                    .keeps(["did-ban", "did-unban", "devicecheck-completed"]), .reinstall,
                    .attests(["new-did", "devicecheck-completed"]),
                ]),
            Row(
                label: "R8.6 an unban of an automatic ban writes 0, so that the count starts again", bits: .both,
                steps: [
                    .ban,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .reinstall,
                    .attests(["new-did", "devicecheck-completed", "devicecheck-ban"], rejecting: ["devicecheck-ban"]),
                    .unban, .attests(["did-unban", "devicecheck-completed"]), .apple("0 of 2020-07"), .reinstall,
                    .attests(["new-did", "devicecheck-completed"]), .apple("1 of 2020-07"),
                ]),
            Row(
                label: "R8.7 without the key the bits stay, bans stay on their IDs, new IDs are not looked up",
                steps: [
                    .ban,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .deviceCheck(nil), .apple("1 of 2020-07"),
                    .attests(
                        ["did-ban", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .reinstall, .attests(["new-did"]), .keeps([]), .apple("1 of 2020-07"),
                ]),
            Row(
                label: "R8.7 a ban without the key does not reach Apple", bits: nil,
                steps: [
                    .ban, .attests(["did-ban", "new-did"], rejecting: ["did-ban"]), .apple(nil), .removeEntry,
                    .deviceCheck(.bit0), .launch,
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple(nil),
                ]),
            Row(
                label: "R8.8 with none a ban is one of its device ID only", bits: DeviceCheckSettings.Bits.none,
                steps: [
                    .ban, .attests(["did-ban", "new-did", "devicecheck-completed"], rejecting: ["did-ban"]),
                    .apple(nil), .reinstall, .attests(["new-did", "devicecheck-completed"]),
                ]),
            Row(
                label: "R8.9 a clearing counts as an install, and the third one bans", bits: .both,
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .clear, .apple("0 of 2020-07"),
                    .attests(["new-did", "devicecheck-completed"]), .apple("1 of 2020-07"), .clear,
                    .attests(["new-did", "devicecheck-completed"]), .apple("2 of 2020-07"), .clear,
                    .attests(["new-did", "devicecheck-completed", "devicecheck-ban"], rejecting: ["devicecheck-ban"]),
                    .apple("3 of 2020-07"),
                ]),
            Row(
                label: "R6.5, R8.4 after a clearing a banned device is found banned by its bit",
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .ban,
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .removeEntry, .clear,
                    .attests(["new-did", "devicecheck-completed", "devicecheck-ban"], rejecting: ["devicecheck-ban"]),
                ]),
        ]

        @Test("R8.4–R8.9 bans and unbans of a device", arguments: stories) func story(_ row: Row) throws {
            try row.test()
        }
    }
}

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
