import Testing

@testable import PolicyEngine
@testable import TestSupport

extension DeviceCheckTests {
    @Suite("R8.3, R8.4, R8.8 Bits that carry bans") struct Bits {
        /// Apple's setting at the start, and the result of the first attestation of a device ID.
        struct Look: LabelledRow {
            let bits: DeviceCheckSettings.Bits
            var expiry = 12
            /// Nothing where Apple has none.
            var found: UInt8?
            var changed = "2020-07"
            let isBanned: Bool
            /// Apple's setting afterwards.
            let left: String?
            var why = ""

            var testDescription: String {
                let start = found.map { "\($0) of \(changed)" } ?? "nothing"
                return "\(bits), expiry \(expiry): Apple has \(start)\(why.isEmpty ? "" : ", ")\(why)"
            }
        }

        static let looks = [
            Look(bits: .bit0, found: nil, isBanned: false, left: nil, why: "and still has none afterwards"),
            Look(bits: .bit0, found: 0, isBanned: false, left: "0 of 2020-07"),
            Look(bits: .bit0, found: 1, isBanned: true, left: "1 of 2020-07"),
            Look(bits: .bit0, found: 2, isBanned: false, left: "2 of 2020-07", why: "which is somebody else's"),
            Look(bits: .bit0, found: 3, isBanned: true, left: "3 of 2020-07"),
            Look(bits: .bit1, found: nil, isBanned: false, left: nil),
            Look(bits: .bit1, found: 0, isBanned: false, left: "0 of 2020-07"),
            Look(bits: .bit1, found: 1, isBanned: false, left: "1 of 2020-07", why: "which is somebody else's"),
            Look(bits: .bit1, found: 2, isBanned: true, left: "2 of 2020-07"),
            Look(bits: .bit1, found: 3, isBanned: true, left: "3 of 2020-07"),
            Look(bits: .none, found: nil, isBanned: false, left: nil, why: "R8.8 and nothing is written"),
            Look(bits: .none, found: 3, isBanned: false, left: "3 of 2020-07", why: "R8.8 and nothing is read"),
            Look(
                bits: .bit0, found: 1, changed: "2019-07", isBanned: true, left: "1 of 2019-07", why: "12 months back"),
            Look(
                bits: .bit0, found: 1, changed: "2019-06", isBanned: false, left: "1 of 2019-06", why: "13 months back"),
            Look(
                bits: .bit1, found: 2, changed: "2019-07", isBanned: true, left: "2 of 2019-07", why: "12 months back"),
            Look(
                bits: .bit1, found: 2, changed: "2019-06", isBanned: false, left: "2 of 2019-06", why: "13 months back"),
            Look(bits: .bit0, expiry: 1, found: 1, changed: "2020-06", isBanned: true, left: "1 of 2020-06"),
            Look(bits: .bit0, expiry: 1, found: 1, changed: "2020-05", isBanned: false, left: "1 of 2020-05"),
            Look(bits: .bit0, expiry: 24, found: 1, changed: "2018-07", isBanned: true, left: "1 of 2018-07"),
            Look(bits: .bit0, expiry: 24, found: 1, changed: "2018-06", isBanned: false, left: "1 of 2018-06"),
            Look(bits: .bit0, found: 1, changed: "1999-12", isBanned: false, left: "1 of 1999-12"),
            // R8.5: the same for the counter.
            Look(bits: .both, found: nil, isBanned: false, left: "0 of 2020-07", why: "R8.5 not found, write 0"),
            Look(bits: .both, found: 0, isBanned: false, left: "1 of 2020-07", why: "R8.5 found, write n + 1"),
            Look(bits: .both, found: 1, isBanned: false, left: "2 of 2020-07", why: "R8.5 found, write n + 1"),
            Look(bits: .both, found: 2, isBanned: true, left: "3 of 2020-07", why: "R8.5 at 3 banned"),
            Look(bits: .both, found: 3, isBanned: true, left: "3 of 2020-07", why: "R8.5 no more than 3"),
            Look(
                bits: .both, found: 2, changed: "2019-07", isBanned: true, left: "3 of 2020-07", why: "12 months back"),
            Look(
                bits: .both, found: 2, changed: "2019-06", isBanned: false, left: "0 of 2020-07", why: "13 months back"),
            Look(
                bits: .both, found: 3, changed: "2019-06", isBanned: false, left: "0 of 2020-07", why: "13 months back"),
        ]

        @Test("R8.3–R8.5, R8.8 what a DeviceCheck finds and leaves", arguments: looks)
        func itLooks(_ row: Look) throws {
            var phone = try Phone.iPhone(bits: row.bits, expiry: row.expiry)
            try Self.set(row.found, row.changed, for: &phone)
            let outcome = try phone.attest()
            let ban = row.isBanned ? ["devicecheck-ban"] : []
            #expect(outcome.flags == ["new-did", "devicecheck-completed"] + ban)
            #expect(outcome.rejections == ban)
            #expect(try phone.state == ["devicecheck-completed"] + ban)
            #expect(phone.bits == row.left)
        }

        /// Apple's setting when a device ID is banned or unbanned, and afterwards.
        struct Change: LabelledRow {
            let bits: DeviceCheckSettings.Bits
            let found: UInt8?
            var changed = "2020-01"
            let banned: String?
            let unbanned: String?

            var testDescription: String { "\(bits), Apple has \(found.map(String.init) ?? "nothing") of \(changed)" }
        }

        static let changes = [
            Change(bits: .bit0, found: nil, banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit0, found: 0, banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit0, found: 1, banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit0, found: 2, banned: "3 of 2020-07", unbanned: "2 of 2020-07"),
            Change(bits: .bit0, found: 3, banned: "3 of 2020-07", unbanned: "2 of 2020-07"),
            Change(bits: .bit1, found: nil, banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 0, banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 1, banned: "3 of 2020-07", unbanned: "1 of 2020-07"),
            Change(bits: .bit1, found: 2, banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 3, banned: "3 of 2020-07", unbanned: "1 of 2020-07"),
            Change(bits: .both, found: nil, banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .both, found: 1, banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .both, found: 3, banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            // R8.3: twelve months back it counts, thirteen months back it is not found.
            Change(bits: .bit0, found: 2, changed: "2019-07", banned: "3 of 2020-07", unbanned: "2 of 2020-07"),
            Change(bits: .bit0, found: 2, changed: "2019-06", banned: "1 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .bit1, found: 3, changed: "2019-06", banned: "2 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .both, found: 2, changed: "2019-06", banned: "3 of 2020-07", unbanned: "0 of 2020-07"),
            Change(bits: .none, found: nil, banned: nil, unbanned: nil),
            Change(bits: .none, found: 3, banned: "3 of 2020-01", unbanned: "3 of 2020-01"),
        ]

        @Test("R8.4, R8.5 a ban by entry changes Apple's bits, and those of others stay", arguments: changes)
        func entryBans(_ row: Change) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.ban)
            #expect(phone.bits == row.found.map { "\($0) of \(row.changed)" })
            #expect(try phone.attest().flags == ["did-ban", "devicecheck-completed"])
            #expect(phone.bits == row.banned)
        }

        @Test("R8.4, R8.5 a ban by filter does so too", arguments: changes) func filterBans(_ row: Change) throws {
            var phone = try Self.completedPhone(row)
            try phone.change { try $0.append(.regex("ban-all", "flags-all", "", .ban)) }
            #expect(try phone.attest().rejections == ["did-ban"])
            #expect(phone.bits == row.banned)
        }

        @Test("R8.6 an unban writes 0 or clears the bit", arguments: changes) func entryUnbans(_ row: Change) throws {
            var phone = try Self.completedPhone(row)
            try phone.setEntry(.unban)
            #expect(try phone.attest().flags == ["did-unban", "devicecheck-completed"])
            #expect(phone.bits == row.unbanned)
        }

        // The bits are put there after the DeviceCheck, so that it does not see them.
        private static func completedPhone(_ row: Change) throws -> Phone {
            var phone = try Phone.iPhone(bits: row.bits)
            #expect(try phone.attest().passed)
            phone.platforms = PlatformServices()
            try set(row.found, row.changed, for: &phone)
            return phone
        }

        private static func set(_ bits: UInt8?, _ month: String, for phone: inout Phone) throws {
            guard let bits else { return }
            let month = try #require(CalendarMonth(month))
            phone.platforms.deviceCheck.update(
                phone.device.evidence.physical, team: Phone.team, bits: bits, in: month)
        }
    }
}
