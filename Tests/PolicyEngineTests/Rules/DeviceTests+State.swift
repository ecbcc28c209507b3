import Testing

@testable import PolicyEngine
@testable import TestSupport

extension DeviceTests {
    @Suite("R6.3–R6.5 Device state with DeviceCheck and SafetyNet") struct State {
        /// A device of one system, and how its story goes.
        struct Row: LabelledRow {
            let label: String
            let phone: @Sendable () throws -> Phone
            let steps: [PhoneStep]
        }

        static let rows = [
            Row(
                label: "R6.5 a device never seen has no state", phone: { try .iPhone() },
                steps: [
                    .keeps(nil), .attests(["new-did", "devicecheck-completed"]), .keeps(["devicecheck-completed"]),
                    .reinstall, .keeps(nil),
                ]),
            Row(
                label: "R6.5 nor has one that only has an entry", phone: { try .android() },
                steps: [.ban, .keeps(nil), .removeEntry, .keeps(nil)]),
            Row(
                label: "R6.5 one without anything to persist has an empty state", phone: { try .iPhone(bits: nil) },
                steps: [.attests(["new-did"]), .keeps([])]),
            Row(
                label: "R6.5 iOS: everything in catalogue order", phone: { try .iPhone(bits: .bit1) },
                steps: [
                    .ban,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .keeps(["did-ban", "devicecheck-completed", "devicecheck-ban"]), .unban,
                    .attests(["did-unban", "devicecheck-completed"]),
                    .keeps(["did-ban", "did-unban", "devicecheck-completed"]),
                ]),
            Row(
                label: "R6.5 Android: everything in catalogue order",
                phone: { try .android(answering: .failIntegrity) },
                steps: [
                    .unban,
                    .attests(
                        ["did-unban", "new-did", "safetynet-completed", "safetynet-fail-integrity", "risky-device"],
                        rejecting: ["safetynet-fail-integrity"]),
                    .keeps(["did-unban", "safetynet-completed", "safetynet-fail-integrity"]),
                ]),
            Row(
                label: "R6.3 the ban stays when the entry is removed, beside the results of checks",
                phone: { try .android() },
                steps: [
                    .attests(["new-did", "safetynet-completed"]), .ban,
                    .attests(["did-ban", "safetynet-completed"], rejecting: ["did-ban"]), .removeEntry,
                    .attests(["did-ban", "safetynet-completed"], rejecting: ["did-ban"]),
                    .keeps(["did-ban", "safetynet-completed"]),
                ]),
            Row(
                label: "R6.4 a device once unbanned cannot be banned again until its state is cleared",
                phone: { try .iPhone(bits: .bit0) },
                steps: [
                    .unban, .attests(["did-unban", "new-did", "devicecheck-completed"]), .ban,
                    .attests(["did-unban", "devicecheck-completed"]), .reinstallKeepingID,
                    .attests(["did-unban", "devicecheck-completed"]), .clear,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                ]),
            Row(
                label: "R6.4 did-unban is of its device ID: another one can be banned",
                phone: { try .iPhone(bits: .bit0) },
                steps: [
                    .unban, .attests(["did-unban", "new-did", "devicecheck-completed"]), .reinstall,
                    .attests(["new-did", "devicecheck-completed"]), .ban,
                    .attests(["did-ban", "devicecheck-completed"], rejecting: ["did-ban"]), .apple("1 of 2020-07"),
                ]),
            Row(
                label: "R6.5 a clearing: SafetyNet is done again, and uses up the quota again",
                phone: { try .android(quota: 2) },
                steps: [
                    .attests(["new-did", "safetynet-completed"]), .clear, .keeps(nil),
                    .attests(["new-did", "safetynet-completed"]), .clear,
                    .attests(["new-did", "safetynet-unavailable"]),
                ]),
            Row(
                label: "R6.5 a clearing: DeviceCheck is done again at once, launch or not",
                phone: { try .iPhone(answering: .unavailable) },
                steps: [
                    .attests(["new-did", "devicecheck-unavailable"]), .answers(.available),
                    .attests(["devicecheck-unavailable"]), .clear, .keeps(nil),
                    .attests(["new-did", "devicecheck-completed"]),
                ]),
            Row(
                label: "R6.5 a clearing twice is as good as once", phone: { try .iPhone(bits: .both) },
                steps: [
                    .attests(["new-did", "devicecheck-completed"]), .clear, .clear, .keeps(nil),
                    .attests(["new-did", "devicecheck-completed"]), .apple("1 of 2020-07"),
                ]),
            Row(
                label: "R6.5 a clearing without a key takes the results away", phone: { try .iPhone(bits: .bit0) },
                steps: [
                    .ban,
                    .attests(
                        ["did-ban", "new-did", "devicecheck-completed", "devicecheck-ban"],
                        rejecting: ["did-ban", "devicecheck-ban"]),
                    .removeEntry, .deviceCheck(nil), .clear, .attests(["new-did"]), .keeps([]),
                    .apple("1 of 2020-07"),
                ]),
        ]

        @Test("R6.3–R6.5 what is persisted, and for how long", arguments: rows) func story(_ row: Row) throws {
            var phone = try row.phone()
            try PhoneStory(label: row.label, steps: row.steps).play(on: &phone)
        }

        @Test("R6.5 a clearing forgets every device, at once") func everyDeviceIsForgotten() throws {
            var account = try Account.sample().changed { $0.propagation = 30 }
            account.addAuthKey("KEY", teamID: "TEAM", bits: .none, expiry: 12)
            var service = SimulatedService(account)
            var platforms = PlatformServices()
            var devices = (0..<40).map { SimulatedDevice.iPhone(Sample.device($0), hardware: UInt32($0)) }
            for index in devices.indices { _ = try service.attest(&devices[index], with: &platforms) }
            service.clearDeviceState()
            for index in devices.indices {
                #expect(try service.state(of: devices[index].id) == nil)
                let outcome = try service.attest(&devices[index], with: &platforms)
                #expect(outcome.flags == ["new-did", "devicecheck-completed"])
            }
        }

        @Test("R2.4 what a simulated device observes of itself does not persist", arguments: FlagFacts.names)
        func observedDoesNotPersist(flag: String) throws {
            var phone = try Phone.iPhone(bits: nil)
            phone.device.flags = [flag]
            try phone.attest()
            phone.device.flags = []
            #expect(try phone.attest().flags == [])
            #expect(try phone.state == [])
        }

        @Test("R2.4 an observed risky-device of a simulated device is derived anew") func riskIsDerived() throws {
            var phone = try Phone.android(answering: .failProfile)
            phone.device.flags = ["risky-device"]
            #expect(try phone.attest().flags.contains("risky-device"))
            phone.clearDeviceState()
            phone.device.evidence.safetyNet = .pass
            #expect(try phone.attest().flags == ["new-did", "safetynet-completed"])
        }
    }
}
