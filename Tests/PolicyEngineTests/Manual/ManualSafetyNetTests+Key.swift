import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which sentence is shown where. The output of -get is left out.
//
// Setting the SafetyNet API Key
//   "devices will immediately try and perform SafetyNet attestations when they   devicesTryAtOnce
//    connect … and they have not done so previously"
//   "any existing users … the next time they connect … initial load against      existingUsersLoadTheQuota
//    your SafetyNet API quota"
//   "check that device's state to ensure it has a safetynet-completed property"  stateShows
// Removing the SafetyNet API Key
//   "immediately stop any usage of the SafetyNet API"                            removalStopsUsage
//   "persisted SafetyNet state … will be retained"                               stateIsRetained
//   "completely remove any persisted state … consider Clearing All Device State" clearingRemovesState
extension ManualSafetyNetTests {
    @Suite("Manual: Setting the SafetyNet API Key, Removing the SafetyNet API Key") struct Key {
        @Test("Setting the Key: devices try at once, where they have not done so") func devicesTryAtOnce() throws {
            var phone = try Phone.android(quota: nil)
            try phone.attest()
            phone.setSafetyNet("key")
            #expect(try phone.attest().flags == ["safetynet-completed"])
            // Another key finds it done.
            phone.device.evidence.safetyNet = .failToken
            phone.setSafetyNet("another-key")
            #expect(try phone.attest().flags == ["safetynet-completed"])
        }

        @Test("Setting the Key: the existing users load the quota") func existingUsersLoadTheQuota() throws {
            var service = SimulatedService(try .sample("default,strict,default"))
            var platforms = PlatformServices()
            var phones = (0..<10).map { SimulatedDevice.android(Sample.device($0), hardware: UInt32($0)) }
            for index in phones.indices { #expect(try service.attest(&phones[index], with: &platforms).passed) }
            service.change { $0.safetyNet = SafetyNetSettings(apiKey: "key", dailyQuota: 7) }
            let passed = try phones.indices.filter { try service.attest(&phones[$0], with: &platforms).passed }
            #expect(passed == Array(0..<7))
        }

        @Test("Setting the Key: the device's state shows that it works") func stateShows() throws {
            var phone = try Phone.android(quota: nil)
            phone.setSafetyNet("key")
            phone.launch()
            try phone.attest()
            #expect(try phone.state == ["safetynet-completed"])
        }

        // R1.5 decides that it takes the propagation; there is none here.
        @Test("Removing the Key: any usage stops") func removalStopsUsage() throws {
            var phone = try Phone.android(quota: 1)
            phone.setSafetyNet(nil)
            for _ in 0..<3 {
                #expect(try phone.attest().flags == ["new-did"])
                phone.launch()
                #expect(try phone.attest().flags == [])
                phone.reinstall()
            }
            // Nothing was used of the one attestation.
            phone.setSafetyNet(Phone.apiKey)
            #expect(try phone.attest().flags == ["new-did", "safetynet-completed"])
        }

        @Test("Removing the Key: persisted state is retained", arguments: SafetyNetOutcome.allCases)
        func stateIsRetained(outcome: SafetyNetOutcome) throws {
            var phone = try Phone.android(answering: outcome)
            let flags = try phone.attest().flags.filter { $0 != "new-did" }
            let state = try phone.state
            phone.setSafetyNet(nil)
            phone.launch()
            #expect(try phone.attest().flags == flags)
            #expect(try phone.state == state)
        }

        @Test("Removing the Key: a clearing removes state that causes rejections") func clearingRemovesState() throws {
            var phone = try Phone.android(answering: .failToken)
            #expect(try phone.attest().rejections == ["safetynet-fail-token"])
            phone.setSafetyNet(nil)
            #expect(try phone.attest().rejections == ["safetynet-fail-token"])
            phone.clearDeviceState()
            #expect(try phone.attest().passed)
            #expect(try phone.state == [])
        }
    }
}
