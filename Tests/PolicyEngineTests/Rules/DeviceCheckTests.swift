import Testing

@testable import PolicyEngine
@testable import TestSupport

// The sentences of the manual on DeviceCheck are in ManualDeviceCheckTests; every short story of one iPhone is in Walks.
// The steps and commands of scenarios are tested in DeviceCheckScenarioTests.
@Suite("R8 DeviceCheck") struct DeviceCheckTests {
    /// A story of an iPhone, and how it starts.
    struct Row: LabelledRow {
        let label: String
        var bits: DeviceCheckSettings.Bits? = .bit0
        var answering: DeviceCheckCapability? = .available
        let steps: [PhoneStep]

        func test() throws {
            var phone = try Phone.iPhone(bits: bits, answering: answering)
            try PhoneStory(label: label, steps: steps).play(on: &phone)
        }
    }

    static let done = [
        Row(
            label: "R8.1 at the first attestation of a device ID",
            steps: [.keeps(nil), .attests(["new-did", "devicecheck-completed"]), .keeps(["devicecheck-completed"])]),
        Row(
            label: "R8.1 the result is persisted: it shows at every attestation",
            steps: [
                .attests(["new-did", "devicecheck-completed"]), .attests(["devicecheck-completed"]), .launch,
                .attests(["devicecheck-completed"]), .keeps(["devicecheck-completed"]),
            ]),
        Row(
            label: "R8.1 it is persisted by device ID: another one has a DeviceCheck of its own",
            steps: [
                .attests(["new-did", "devicecheck-completed"]), .reinstall, .keeps(nil),
                .attests(["new-did", "devicecheck-completed"]),
            ]),
        Row(
            label: "R8.1 once completed it is done no more: neither an answer nor a bit that changes is seen",
            steps: [
                .attests(["new-did", "devicecheck-completed"]), .answers(.invalid), .launch,
                .attests(["devicecheck-completed"]), .reinstallKeepingID, .attests(["devicecheck-completed"]),
            ]),
        Row(
            label: "R8.1 what has not completed is done again at the first attestation after a launch",
            answering: .unavailable,
            steps: [
                .attests(["new-did", "devicecheck-unavailable"]), .answers(.available),
                .attests(["devicecheck-unavailable"]), .launch, .attests(["devicecheck-completed"]),
                .keeps(["devicecheck-completed"]),
            ]),
        Row(
            label: "R8.1 as often as it takes", answering: .invalid,
            steps: [
                .attests(["new-did", "devicecheck-failed"], rejecting: ["devicecheck-failed"]), .launch,
                .attests(["devicecheck-failed"], rejecting: ["devicecheck-failed"]), .answers(.unavailable),
                .attests(["devicecheck-failed"], rejecting: ["devicecheck-failed"]), .launch,
                .attests(["devicecheck-unavailable"]), .answers(.available), .launch,
                .attests(["devicecheck-completed"]),
            ]),
        Row(
            label: "R8.1 two launches before the attestation are as good as one", answering: .unavailable,
            steps: [
                .attests(["new-did", "devicecheck-unavailable"]), .answers(.available), .launch, .launch,
                .attests(["devicecheck-completed"]),
            ]),
        Row(
            label: "R8.1 a running app waits for its next launch when the key is set later", bits: nil,
            steps: [
                .attests(["new-did"]), .deviceCheck(.bit0), .attests(["devicecheck-missing"]),
                .attests(["devicecheck-missing"]), .keeps([]), .launch, .attests(["devicecheck-completed"]),
            ]),
        Row(
            label: "R8.1 a device ID that is new has its first attestation after the key is set", bits: nil,
            steps: [.deviceCheck(.bit0), .attests(["new-did", "devicecheck-completed"])]),
        Row(
            label: "R8.1 without a key it is never done", bits: nil,
            steps: [.attests(["new-did"]), .launch, .attests([]), .reinstall, .attests(["new-did"]), .apple(nil)]),
        Row(
            label: "R8 where the population does not say what the device can do it is not done", answering: nil,
            steps: [.attests(["new-did", "devicecheck-missing"]), .keeps([]), .apple(nil)]),
    ]

    @Test("R8.1, R8.2 when it is done, and what it comes to", arguments: done) func itIsDone(_ row: Row) throws {
        try row.test()
    }

    @Test("R8.2 each answer has its flag, whatever the bits", arguments: DeviceCheckSettings.Bits.allCases)
    func answersHaveFlags(bits: DeviceCheckSettings.Bits) throws {
        let flags: [DeviceCheckCapability: String] = [
            .available: "devicecheck-completed", .unavailable: "devicecheck-unavailable",
            .invalid: "devicecheck-failed",
        ]
        for capability in DeviceCheckCapability.allCases {
            var phone = try Phone.iPhone(bits: bits, answering: capability)
            let flag = try #require(flags[capability])
            let outcome = try phone.attest()
            #expect(outcome.flags == ["new-did", flag])
            #expect(outcome.rejections == (capability == .invalid ? [flag] : []))
            #expect(try phone.state == [flag])
            // Only a check that completed counts the install (R8.5).
            #expect(phone.bits == (capability == .available && bits == .both ? "0 of 2020-07" : nil))
        }
    }

    @Test("R8.1 the key's name, team, bits and expiry are kept") func settingsAreKept() throws {
        var account = try Account.sample()
        #expect(account.deviceCheck == nil)
        account.addAuthKey("XXXXXXXXXX", teamID: "YYYYYYYYY", bits: .bit0, expiry: 3)
        #expect(
            account.deviceCheck
                == DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "XXXXXXXXXX", bits: .bit0, expiry: 3))
        account.addAuthKey("ZZZZZZZZZZ", teamID: nil, bits: .both, expiry: 12)
        #expect(
            account.deviceCheck
                == DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "ZZZZZZZZZZ", bits: .both, expiry: 12))
        account.removeAuthKey()
        #expect(account.deviceCheck?.keyID == nil)
    }

    @Test("R8 it is of iOS alone", arguments: [OperatingSystem.android, .unknown])
    func otherSystemsHaveNone(system: OperatingSystem) throws {
        var phone = try Phone.iPhone(bits: .both)
        phone.device.evidence.system = system
        #expect(try phone.attest().flags == ["new-did"])
        #expect(phone.bits == nil)
    }
}
