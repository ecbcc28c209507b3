import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which sentence is shown where. The warnings are words of a command, and billing (R13.2) is shown with the metrics.
//
//   "any previously banned devices will become usable again"                  bansGo, bitsOfAppleStay
//   "previous results … will be erased and devices will be forced to perform  checksAreDoneAgain
//    the checks again next time they connect"
//   "new SafetyNet attestations will be required for all devices … may        quotaMayBeExceeded
//    exceed the quota"
//   "existing app installations will be considered to be new the next time"   installsAreNew
//   "Automatic Device Banning … the count of installations … incremented.     installsAreCounted
//    This could cause unexpected device banning"
@Suite("Manual: Clearing All Device State") struct ManualClearingTests {
    @Test("Clearing: previously banned devices are usable again", arguments: [true, false])
    func bansGo(byFilter: Bool) throws {
        var phone = try Phone.android(quota: nil)
        if byFilter {
            try phone.change { try $0.append(.regex("ban-all", "flags-all", "", .ban)) }
        } else {
            try phone.setEntry(.ban)
        }
        #expect(try !phone.attest().passed)
        if byFilter { try phone.change { try $0.removeFilter(named: "ban-all") } } else { try phone.removeEntry() }
        #expect(try !phone.attest().passed)
        phone.clearDeviceState()
        #expect(try phone.attest().passed)
    }

    // R6.5 and R8.4 decide: what Apple has is not the account's device state, so DeviceCheck, done again, finds it.
    @Test(
        "Clearing: a device that Apple has as banned is not", arguments: [DeviceCheckSettings.Bits.bit0, .bit1, .both])
    func bitsOfAppleStay(bits: DeviceCheckSettings.Bits) throws {
        var phone = try Phone.iPhone(bits: bits)
        try phone.setEntry(.ban)
        try phone.attest()
        try phone.removeEntry()
        phone.clearDeviceState()
        #expect(try phone.attest().rejections == ["devicecheck-ban"])
    }

    @Test("Clearing: earlier results are erased, and checks are done again at the next fetch")
    func checksAreDoneAgain() throws {
        var android = try Phone.android(answering: .failToken)
        #expect(try android.attest().rejections == ["safetynet-fail-token"])
        android.device.evidence.safetyNet = .pass
        android.clearDeviceState()
        #expect(try android.state == nil)
        #expect(try android.attest().flags == ["new-did", "safetynet-completed"])

        var iPhone = try Phone.iPhone(bits: .bit0, answering: .invalid)
        #expect(try iPhone.attest().rejections == ["devicecheck-failed"])
        iPhone.device.evidence.deviceCheck = .available
        iPhone.clearDeviceState()
        #expect(try iPhone.state == nil)
        #expect(try iPhone.attest().flags == ["new-did", "devicecheck-completed"])
    }

    @Test("Clearing: new SafetyNet attestations for all devices may exceed the quota")
    func quotaMayBeExceeded() throws {
        var account = try Account.sample("default,strict,default")
        account.safetyNet = SafetyNetSettings(apiKey: "key", dailyQuota: 15)
        var service = SimulatedService(account)
        var platforms = PlatformServices()
        var phones = (0..<10).map { SimulatedDevice.android(Sample.device($0), hardware: UInt32($0)) }
        for index in phones.indices { #expect(try service.attest(&phones[index], with: &platforms).passed) }
        service.clearDeviceState()
        let passed = try phones.indices.filter { try service.attest(&phones[$0], with: &platforms).passed }
        #expect(passed == [0, 1, 2, 3, 4])
    }

    @Test("Clearing: existing installations count as new the next time they fetch") func installsAreNew() throws {
        var phone = try Phone.android(quota: nil)
        try phone.attest()
        #expect(try phone.attest().flags == [])
        phone.clearDeviceState()
        #expect(try phone.attest().flags == ["new-did"])
        #expect(try phone.attest().flags == [])
    }

    @Test("Clearing: with automatic banning every clearing counts as an installation")
    func installsAreCounted() throws {
        var phone = try Phone.iPhone(bits: .both)
        #expect(try phone.attest().passed)
        for count in 1...2 {
            phone.clearDeviceState()
            #expect(try phone.attest().passed)
            #expect(phone.bits == "\(count) of 2020-07")
        }
        phone.clearDeviceState()
        // Unexpected device banning: the app was installed once.
        #expect(try phone.attest().rejections == ["devicecheck-ban"])
    }
}
