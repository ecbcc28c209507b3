import Testing

@testable import PolicyEngine
@testable import TestSupport

extension DeviceCheckTests {
    @Suite("R8.4–R8.9 Bans of a device") struct Bans {
        static let stories = PhoneStory.table(
            """
            iPhone
            == R8.4 devicecheck-ban shows from the next DeviceCheck on
            attests new-did devicecheck-completed; ban; attests did-ban! devicecheck-completed; apple 1 of 2020-07
            launch; attests did-ban! devicecheck-completed; reinstall
            attests new-did devicecheck-completed devicecheck-ban!; attests devicecheck-completed devicecheck-ban!
            keeps devicecheck-completed devicecheck-ban
            == R8.4, R10 a pending ban (3) comes before the DeviceCheck (4) of the same attestation
            ban; attests did-ban! new-did devicecheck-completed devicecheck-ban!
            keeps did-ban devicecheck-completed devicecheck-ban
            == R8.4, R10 a ban by filter (8) comes after the DeviceCheck (4) of the same attestation
            filter on; attests did-ban! new-did devicecheck-completed; apple 1 of 2020-07; filter off; reinstall
            attests new-did devicecheck-completed devicecheck-ban!
            == R8.4 a ban that exists writes nothing again, so the month stays
            attests new-did devicecheck-completed; ban; attests did-ban! devicecheck-completed; apple 1 of 2020-07
            wait 1; attests did-ban! devicecheck-completed; apple 1 of 2020-07; wait 12
            attests did-ban! devicecheck-completed; apple 1 of 2020-07
            # Thirteen months later the setting is too old (R8.3).
            reinstall; attests new-did devicecheck-completed
            == R8.4 nor does one of a filter
            filter on; attests did-ban! new-did devicecheck-completed; apple 1 of 2020-07; wait 2
            attests did-ban! devicecheck-completed; apple 1 of 2020-07
            == R8.4 nor where the filter meets what an entry banned
            attests new-did devicecheck-completed; ban; attests did-ban! devicecheck-completed; remove; filter on
            wait 2; attests did-ban! devicecheck-completed; apple 1 of 2020-07
            == R8.4 what was cleared is banned anew, and so is another device ID
            attests new-did devicecheck-completed; filter on; attests did-ban! devicecheck-completed; apple 1 of 2020-07
            wait 1; clear; attests did-ban! new-did devicecheck-completed devicecheck-ban!; apple 1 of 2020-08; wait 1
            reinstall; attests did-ban! new-did devicecheck-completed devicecheck-ban!; apple 1 of 2020-09
            == R6.4 a ban that does not count does not reach Apple, by entry
            unban; attests did-unban new-did devicecheck-completed; apple 0 of 2020-07; ban
            attests did-unban devicecheck-completed; apple 0 of 2020-07; reinstall
            attests new-did devicecheck-completed
            == R6.4 nor by filter
            unban; attests did-unban new-did devicecheck-completed; remove; filter on
            attests did-unban devicecheck-completed; apple 0 of 2020-07
            == R8.5 launches and installs that keep the ID do not count, nor do ones that never attest
            iPhone bits=both
            attests new-did devicecheck-completed; launch; attests devicecheck-completed; reinstall keeping
            attests devicecheck-completed; reinstall; reinstall; reinstall; attests new-did devicecheck-completed
            apple 1 of 2020-07
            == R8.5 a DeviceCheck that did not complete does not count, the one that does counts once
            iPhone bits=both answering=unavailable
            attests new-did devicecheck-unavailable; apple unset; answers available; launch
            attests devicecheck-completed; apple 0 of 2020-07; launch; attests devicecheck-completed; apple 0 of 2020-07
            == R8.5 a manual ban writes 3
            iPhone bits=both
            attests new-did devicecheck-completed; ban; attests did-ban! devicecheck-completed; apple 3 of 2020-07
            reinstall; attests new-did devicecheck-completed devicecheck-ban!
            == R8.3, R8.5 a counter that is too old starts again
            iPhone bits=both
            attests new-did devicecheck-completed; reinstall; attests new-did devicecheck-completed; reinstall
            attests new-did devicecheck-completed; apple 2 of 2020-07; wait 13; reinstall
            attests new-did devicecheck-completed; apple 0 of 2021-08
            == R8.3 a ban of the device ends with its expiry for new device IDs, not for those that have it
            ban; attests did-ban! new-did devicecheck-completed devicecheck-ban!; remove; wait 13; launch
            attests did-ban! devicecheck-completed devicecheck-ban!; reinstall; attests new-did devicecheck-completed
            == R8.6 an unban clears the bit, removes devicecheck-ban and persists did-unban
            ban; attests did-ban! new-did devicecheck-completed devicecheck-ban!; unban
            attests did-unban devicecheck-completed; apple 0 of 2020-07; keeps did-ban did-unban devicecheck-completed
            reinstall; attests new-did devicecheck-completed
            == R8.6 an unban of an automatic ban writes 0, so that the count starts again
            iPhone bits=both
            ban; attests did-ban! new-did devicecheck-completed devicecheck-ban!; reinstall
            attests new-did devicecheck-completed devicecheck-ban!; unban; attests did-unban devicecheck-completed
            apple 0 of 2020-07; reinstall; attests new-did devicecheck-completed; apple 1 of 2020-07
            == R8.7 without the key the bits stay, bans stay on their IDs, new IDs are not looked up
            ban; attests did-ban! new-did devicecheck-completed devicecheck-ban!; devicecheck absent; apple 1 of 2020-07
            attests did-ban! devicecheck-completed devicecheck-ban!; reinstall; attests new-did; keeps
            apple 1 of 2020-07
            == R8.7 a ban without the key does not reach Apple
            iPhone bits=absent
            ban; attests did-ban! new-did; apple unset; remove; devicecheck bit0; launch
            attests did-ban! devicecheck-completed; apple unset
            == R8.8 with none a ban is one of its device ID only
            iPhone bits=none
            ban; attests did-ban! new-did devicecheck-completed; apple unset; reinstall
            attests new-did devicecheck-completed
            == R8.9 a clearing counts as an install, and the third one bans
            iPhone bits=both
            attests new-did devicecheck-completed; clear; apple 0 of 2020-07; attests new-did devicecheck-completed
            apple 1 of 2020-07; clear; attests new-did devicecheck-completed; apple 2 of 2020-07; clear
            attests new-did devicecheck-completed devicecheck-ban!; apple 3 of 2020-07
            == R6.5, R8.4 after a clearing a banned device is found banned by its bit
            attests new-did devicecheck-completed; ban; attests did-ban! devicecheck-completed; remove; clear
            attests new-did devicecheck-completed devicecheck-ban!
            """)

        @Test("R8.4–R8.9 bans and unbans of a device", arguments: stories) func story(_ story: PhoneStory) throws {
            try story.play()
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
