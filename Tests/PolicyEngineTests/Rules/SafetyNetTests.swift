import Testing

@testable import PolicyEngine
@testable import TestSupport

// The sentences of the manual on SafetyNet are in ManualSafetyNetTests; every short story of one phone is in Walks.
// The steps and commands of scenarios are tested in SafetyNetScenarioTests.
@Suite("R9 SafetyNet") struct SafetyNetTests {
    /// A story of an Android phone, and how it starts.
    struct Row: LabelledRow {
        let label: String
        var quota: Int? = 10_000
        var answering: SafetyNetOutcome? = .pass
        let steps: [PhoneStep]

        func test() throws {
            var phone = try Phone.android(answering: answering, quota: quota)
            try PhoneStory(label: label, steps: steps).play(on: &phone)
        }
    }

    static let stories = [
        Row(
            label: "R9.1 at the first attestation of a device ID",
            steps: [.keeps(nil), .attests(["new-did", "safetynet-completed"]), .keeps(["safetynet-completed"])]),
        Row(
            label: "R9.1 the result is persisted: it shows at every attestation",
            steps: [
                .attests(["new-did", "safetynet-completed"]), .attests(["safetynet-completed"]), .launch,
                .attests(["safetynet-completed"]), .keeps(["safetynet-completed"]),
            ]),
        Row(
            label: "R9.1, R1.3 a factory reset changes the ID, and so redoes it",
            steps: [
                .attests(["new-did", "safetynet-completed"]), .comesTo(.failProfile), .reinstall, .keeps(nil),
                .attests(["new-did", "safetynet-completed", "safetynet-fail-profile", "risky-device"]),
            ]),
        Row(
            label: "R9.1 a running app does it at the next attestation after the key is set", quota: nil,
            steps: [
                .attests(["new-did"]), .attests([]), .safetyNet("key"), .attests(["safetynet-completed"]),
                .keeps(["safetynet-completed"]),
            ]),
        Row(
            label: "R9.1 without a key it is never done", quota: nil,
            steps: [.attests(["new-did"]), .launch, .attests([]), .keeps([])]),
        Row(
            label: "R9.1 removing the key keeps the result",
            steps: [
                .attests(["new-did", "safetynet-completed"]), .safetyNet(nil), .attests(["safetynet-completed"]),
                .keeps(["safetynet-completed"]), .reinstall, .attests(["new-did"]), .keeps([]),
            ]),
        Row(
            label: "R9.1 what could not be obtained is tried again at the next launch only", answering: .unavailable,
            steps: [
                .attests(["new-did", "safetynet-unavailable"]), .comesTo(.pass), .attests(["safetynet-unavailable"]),
                .attests(["safetynet-unavailable"]), .keeps(["safetynet-unavailable"]), .launch,
                .attests(["safetynet-completed"]), .keeps(["safetynet-completed"]),
            ]),
        Row(
            label: "R9.1 until it completes", answering: .unavailable,
            steps: [
                .attests(["new-did", "safetynet-unavailable"]), .launch, .attests(["safetynet-unavailable"]), .launch,
                .attests(["safetynet-unavailable"]), .comesTo(.failToken), .launch,
                .attests(
                    ["safetynet-completed", "safetynet-fail-token", "risky-device"],
                    rejecting: ["safetynet-fail-token"]),
                .comesTo(.pass), .launch,
                .attests(
                    ["safetynet-completed", "safetynet-fail-token", "risky-device"],
                    rejecting: ["safetynet-fail-token"]),
            ]),
        Row(
            label: "R9.1 what could not be obtained stays while there is no key", answering: .unavailable,
            steps: [
                .attests(["new-did", "safetynet-unavailable"]), .safetyNet(nil), .comesTo(.pass), .launch,
                .attests(["safetynet-unavailable"]), .keeps(["safetynet-unavailable"]),
            ]),
        Row(
            label: "R9.1 nor does a new key try again before the next launch", answering: .unavailable,
            steps: [
                .attests(["new-did", "safetynet-unavailable"]), .comesTo(.pass), .safetyNet("another-key"),
                .attests(["safetynet-unavailable"]), .launch, .attests(["safetynet-completed"]),
            ]),
        Row(
            label: "R6.5 a clearing lets it be done again at once", answering: .failProfile,
            steps: [
                .attests(["new-did", "safetynet-completed", "safetynet-fail-profile", "risky-device"]),
                .comesTo(.pass), .clear, .keeps(nil), .attests(["new-did", "safetynet-completed"]),
            ]),
        Row(
            label: "R9 where the population does not say what the device can do it is not done", answering: nil,
            steps: [.attests(["new-did", "safetynet-missing"]), .keeps([])]),
        Row(
            label: "R9.3 a quota of nothing", quota: 0,
            steps: [.attests(["new-did", "safetynet-unavailable"]), .launch, .attests(["safetynet-unavailable"])]),
        Row(
            label: "R9.3 beyond the quota of a day it is unavailable, until a launch on another day", quota: 1,
            steps: [
                .attests(["new-did", "safetynet-completed"]), .reinstall,
                .attests(["new-did", "safetynet-unavailable"]), .launch, .attests(["safetynet-unavailable"]), .nextDay,
                .attests(["safetynet-unavailable"]), .launch, .attests(["safetynet-completed"]),
            ]),
        Row(
            label: "R9.3 the quota is the key's: a new key has one of its own", quota: 1,
            steps: [
                .attests(["new-did", "safetynet-completed"]), .reinstall,
                .attests(["new-did", "safetynet-unavailable"]), .safetyNet("another-key"), .launch,
                .attests(["safetynet-completed"]), .reinstall, .attests(["new-did", "safetynet-unavailable"]),
            ]),
    ]

    @Test("R9.1, R9.3 when it is done, and when not", arguments: stories) func story(_ row: Row) throws {
        try row.test()
    }

    @Test("R9 it is of Android alone", arguments: [OperatingSystem.ios, .unknown])
    func otherSystemsHaveNone(system: OperatingSystem) throws {
        var phone = try Phone.android(answering: .failToken)
        phone.device.evidence.system = system
        #expect(try phone.attest().flags == ["new-did"])
    }
}
