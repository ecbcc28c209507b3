import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which sentence is shown where. Commands, and what they print, are shown with the commands; billing with the metrics.
//
// Banning a Device
//   "ban any individual device on the basis of its device ID"                    bansOneDevice
//   "The next time this device tries to fetch … will not receive a valid token"  bansAtTheNextFetch
//   "all Annotation Policy … did-ban listed as a rejection reason"               tellsWhy
//   "Once the ban has been actioned … you can remove it again"                   banOutlivesItsEntry
//   "On iOS … a different device ID and thus evade the ban"                      reinstallEvades
//   "DeviceCheck … a permanent ban of a physical device"                         deviceCheckDoesNotLetEvade
// Removing a Device Ban
//   "The next time … its ban status will be removed … issued with a valid token" unbansAtTheNextFetch
//   "(presuming it meets all of the other criteria)"                             otherCriteriaStay
//   "Once the unban is actioned, remove the device from the custom device set"   unbanOutlivesItsEntry
//   "Once … unbanned, it cannot be banned again (unless all device state …)"     cannotBeBannedAgain
// Getting State of a Device
//   "A list of flags associated with the device ID … this device has been banned"  stateOfBanned
//   "other flags …, especially those related to DeviceCheck and SafetyNet"         stateOfChecks
//   "persisted … doesn't have to be repeated each time the app … is launched"      checksAreNotRepeated
//   "has not been used … device state has not been set"                            stateOfUnused
//   "both did-ban and did-unban in the list. The did-unban always takes priority"  stateOfUnbanned
// Clearing All Device State: ManualClearingTests.
@Suite("Manual: Banning a Device, Removing a Device Ban, Getting State of a Device") struct ManualBanningTests {
    @Test("Banning a Device: an individual device, by its device ID") func bansOneDevice() throws {
        var account = try Account.sample()
        try account.append(account.entry(Sample.device, banMode: .ban))
        var service = SimulatedService(account)
        var platforms = PlatformServices()
        for number in 0..<5 {
            var other = SimulatedDevice.android(Sample.device(number), hardware: UInt32(number))
            #expect(try service.attest(&other, with: &platforms).passed)
        }
        var banned = SimulatedDevice.android(Sample.device, hardware: 9)
        #expect(try !service.attest(&banned, with: &platforms).passed)
    }

    @Test("Banning a Device: the next time it tries to fetch, and every time after that", arguments: [true, false])
    func bansAtTheNextFetch(isKnown: Bool) throws {
        var phone = try Phone.android(quota: nil)
        if isKnown { #expect(try phone.attest().passed) }
        try phone.setEntry(.ban)
        #expect(try phone.state == (isKnown ? [] : nil))
        for _ in 0..<3 {
            #expect(try !phone.attest().passed)
            #expect(try phone.state == ["did-ban"])
            phone.launch()
        }
    }

    @Test("Banning a Device: with the all annotation policy did-ban is listed") func tellsWhy() throws {
        var phone = try Phone.android(quota: nil, policy: "default,default,all")
        #expect(try phone.attest().annotations == ["new-did"])
        try phone.setEntry(.ban)
        let outcome = try phone.attest()
        #expect(outcome.annotations == ["did-ban"])
        #expect(outcome.rejections == ["did-ban"])
    }

    @Test("Banning a Device: once actioned the entry may go") func banOutlivesItsEntry() throws {
        var phone = try Phone.android(quota: nil)
        try phone.setEntry(.ban)
        try phone.attest()
        try phone.removeEntry()
        #expect(try phone.attest().rejections == ["did-ban"])
        phone.reinstall(keepingID: true)
        #expect(try phone.attest().rejections == ["did-ban"])
    }

    @Test("Banning a Device: on iOS an app installed again may evade it") func reinstallEvades() throws {
        var phone = try Phone.iPhone(bits: nil)
        try phone.setEntry(.ban)
        #expect(try !phone.attest().passed)
        phone.reinstall()
        #expect(try phone.attest().passed)
    }

    @Test("Banning a Device: DeviceCheck bans the device, whatever its ID", arguments: 1...4)
    func deviceCheckDoesNotLetEvade(installs: Int) throws {
        var phone = try Phone.iPhone(bits: .bit0)
        try phone.setEntry(.ban)
        #expect(try !phone.attest().passed)
        for _ in 0..<installs { phone.reinstall() }
        #expect(try phone.attest().rejections == ["devicecheck-ban"])
    }

    @Test("Removing a Device Ban: the next time it tries to fetch", arguments: [SafetyNetOutcome.pass, .unavailable])
    func unbansAtTheNextFetch(outcome: SafetyNetOutcome) throws {
        var phone = try Phone.android(answering: outcome)
        try phone.setEntry(.ban)
        #expect(try !phone.attest().passed)
        try phone.setEntry(.unban)
        #expect(try phone.state?.contains("did-unban") == false)
        #expect(try phone.attest().passed)
    }

    @Test("Removing a Device Ban: presuming it meets all of the other criteria") func otherCriteriaStay() throws {
        var phone = try Phone.android(answering: .failIntegrity)
        phone.device.flags = ["frida"]
        try phone.setEntry(.ban)
        #expect(try phone.attest().rejections == ["frida", "did-ban", "safetynet-fail-integrity"])
        try phone.setEntry(.unban)
        #expect(try phone.attest().rejections == ["frida", "safetynet-fail-integrity"])
    }

    @Test("Removing a Device Ban: once actioned the entry may go") func unbanOutlivesItsEntry() throws {
        var phone = try Phone.android(quota: nil)
        try phone.setEntry(.ban)
        try phone.attest()
        try phone.setEntry(.unban)
        try phone.attest()
        try phone.removeEntry()
        #expect(try phone.attest().passed)
        phone.launch()
        #expect(try phone.attest().passed)
    }

    @Test("Removing a Device Ban: it cannot be banned again, unless all device state is cleared")
    func cannotBeBannedAgain() throws {
        var phone = try Phone.iPhone(bits: .both)
        try phone.setEntry(.unban)
        #expect(try phone.attest().passed)
        try phone.setEntry(.ban)
        try phone.change { try $0.append(.regex("ban-all", "flags-all", "", .ban)) }
        for _ in 0..<3 {
            #expect(try phone.attest().passed)
            phone.launch()
        }
        phone.clearDeviceState()
        #expect(try phone.attest().rejections == ["did-ban", "devicecheck-ban"])
    }

    @Test("Getting State of a Device: that it has been banned") func stateOfBanned() throws {
        var phone = try Phone.android(quota: nil)
        try phone.setEntry(.ban)
        try phone.attest()
        #expect(try phone.state == ["did-ban"])
    }

    @Test("Getting State of a Device: other flags, especially of DeviceCheck and SafetyNet")
    func stateOfChecks() throws {
        var iPhone = try Phone.iPhone(bits: .bit0)
        try iPhone.setEntry(.ban)
        try iPhone.attest()
        #expect(try iPhone.state == ["did-ban", "devicecheck-completed", "devicecheck-ban"])
        var android = try Phone.android(answering: .failToken)
        try android.setEntry(.ban)
        try android.attest()
        #expect(try android.state == ["did-ban", "safetynet-completed", "safetynet-fail-token"])
    }

    @Test("Getting State of a Device: the costly exercise is not repeated at each launch")
    func checksAreNotRepeated() throws {
        // One SafetyNet attestation a day is all there is, and a second install would be counted by Apple.
        var android = try Phone.android(quota: 1)
        var iPhone = try Phone.iPhone(bits: .both)
        for _ in 0..<5 {
            #expect(try android.attest().flags.contains("safetynet-completed"))
            #expect(try iPhone.attest().flags.contains("devicecheck-completed"))
            android.launch()
            iPhone.launch()
        }
        #expect(iPhone.bits == "0 of 2020-07")
    }

    @Test("Getting State of a Device: one that has not been used has none") func stateOfUnused() throws {
        var phone = try Phone.android()
        #expect(try phone.state == nil)
        try phone.setEntry(.ban)
        #expect(try phone.state == nil)
    }

    @Test("Getting State of a Device: banned and then unbanned, did-unban takes priority")
    func stateOfUnbanned() throws {
        var phone = try Phone.android(quota: nil)
        try phone.setEntry(.ban)
        try phone.attest()
        try phone.setEntry(.unban)
        let outcome = try phone.attest()
        #expect(try phone.state == ["did-ban", "did-unban"])
        #expect(outcome.flags == ["did-unban"] && outcome.passed)
    }
}

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
