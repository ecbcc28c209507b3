import Testing

@testable import PolicyEngine
@testable import TestSupport

extension IdentityAndTimeTests {
    @Suite("R1.5 Keys over time") struct Keys {
        /// Seconds from a change of a key, an entry or bits to an attestation.
        struct Moment: LabelledRow {
            let label: String
            let second: Int
            let isInForce: Bool
        }

        static let moments = [
            Moment(label: "when it is made", second: 0, isInForce: false),
            Moment(label: "a second early", second: 29, isInForce: false),
            Moment(label: "when it comes into force", second: 30, isInForce: true),
            Moment(label: "later", second: 100, isInForce: true),
        ]

        @Test("R1.5 a DeviceCheck key is in force propagation after it is set", arguments: moments)
        func deviceCheckIsSet(_ row: Moment) throws {
            var phone = try Phone.iPhone(bits: nil)
            phone.change { $0.propagation = 30 }
            phone.setDeviceCheck(.bit0)
            phone.wait(seconds: row.second)
            #expect(try phone.attest().flags == ["new-did"] + (row.isInForce ? ["devicecheck-completed"] : []))
        }

        @Test("R1.5 and is gone propagation after it is removed", arguments: moments)
        func deviceCheckIsRemoved(_ row: Moment) throws {
            var phone = try Phone.iPhone(bits: .bit0)
            phone.change { $0.propagation = 30 }
            phone.wait(seconds: 100)
            phone.setDeviceCheck(nil)
            phone.wait(seconds: row.second)
            #expect(try phone.attest().flags == ["new-did"] + (row.isInForce ? [] : ["devicecheck-completed"]))
        }

        @Test("R1.5 a SafetyNet key is in force propagation after it is set", arguments: moments)
        func safetyNetIsSet(_ row: Moment) throws {
            var phone = try Phone.android(quota: nil)
            phone.change { $0.propagation = 30 }
            phone.setSafetyNet("key")
            phone.wait(seconds: row.second)
            #expect(try phone.attest().flags == ["new-did"] + (row.isInForce ? ["safetynet-completed"] : []))
        }

        @Test("R1.5 and is gone propagation after it is removed, too", arguments: moments)
        func safetyNetIsRemoved(_ row: Moment) throws {
            var phone = try Phone.android()
            phone.change { $0.propagation = 30 }
            phone.wait(seconds: 100)
            phone.setSafetyNet(nil)
            phone.wait(seconds: row.second)
            #expect(try phone.attest().flags == ["new-did"] + (row.isInForce ? [] : ["safetynet-completed"]))
        }

        @Test("R1.5 a ban reaches Apple when its entry is in force", arguments: moments)
        func banReachesApple(_ row: Moment) throws {
            var phone = try Phone.iPhone(bits: .bit0)
            phone.change { $0.propagation = 30 }
            phone.wait(seconds: 100)
            try phone.setEntry(.ban)
            phone.wait(seconds: row.second)
            #expect(try phone.attest().passed == !row.isInForce)
            #expect(phone.bits == (row.isInForce ? "1 of 2020-07" : nil))
        }

        @Test("R1.5 other bits are used from when they are in force", arguments: moments)
        func bitsChange(_ row: Moment) throws {
            var phone = try Phone.iPhone(bits: .bit0)
            phone.change { $0.propagation = 30 }
            phone.wait(seconds: 100)
            phone.setDeviceCheck(.bit1)
            phone.wait(seconds: row.second)
            // A bit that only the new setting looks at.
            phone.platforms.deviceCheck.update(
                phone.device.evidence.physical, team: Phone.team, bits: 2, in: CalendarMonth(of: phone.now))
            #expect(try phone.attest().passed == !row.isInForce)
        }
    }
}
