import Testing

@testable import PolicyEngine
@testable import TestSupport

/// A story of one device: what happens, and what is expected on the way.
struct PhoneStory: LabelledRow {
    let label: String
    let steps: [PhoneStep]

    static let fingerprint = "C0:F3:15:9B:A5:6C:A8:E1"

    /// Lets the story happen to a phone, and compares at every step that looks at something.
    func play(on phone: inout Phone) throws {
        for (number, step) in steps.enumerated() {
            let index: Comment = "step \(number): \(step)"
            switch step {
            case .attests(let flags, let rejections):
                let outcome = try phone.attest()
                #expect(outcome.flags == flags, index)
                #expect(outcome.rejections == rejections, index)
                #expect(outcome.passed == rejections.isEmpty, index)
            case .keeps(let flags): #expect(try phone.state == flags, index)
            case .apple(let bits): #expect(phone.bits == bits, index)
            default: try Self.happen(step, &phone)
            }
        }
    }

    private static func happen(_ step: PhoneStep, _ phone: inout Phone) throws {
        switch step {
        case .launch: phone.launch()
        case .reinstall: phone.reinstall()
        case .reinstallKeepingID: phone.reinstall(keepingID: true)
        case .ban: try phone.setEntry(.ban)
        case .unban: try phone.setEntry(.unban)
        case .removeEntry: try phone.removeEntry()
        case .clear: phone.clearDeviceState()
        case .wait(let months): try phone.wait(months: months)
        case .nextDay: phone.wait(seconds: Instant.secondsPerDay)
        case .deviceCheck(let bits): phone.setDeviceCheck(bits)
        case .safetyNet(let key): phone.setSafetyNet(key)
        case .answers(let capability): phone.device.evidence.deviceCheck = capability
        case .comesTo(let outcome): phone.device.evidence.safetyNet = outcome
        case .banningFilter(true): try phone.change { try $0.set(.regex("ban-all", "flags-all", "", .ban)) }
        case .banningFilter(false): try phone.change { try $0.removeFilter(named: "ban-all") }
        case .certificate(true): try phone.change { try $0.addAppSigningCertificate(fingerprint) }
        case .certificate(false): try phone.change { try $0.removeAppSigningCertificate(fingerprint) }
        case .attests, .keeps, .apple: break
        }
    }
}
