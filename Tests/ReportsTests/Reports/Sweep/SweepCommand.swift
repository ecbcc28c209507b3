@testable import TestSupport

/// A management command of a random scenario, in words: how it is typed, and what it makes of an account.
enum SweepCommand: Hashable, Sendable {
    case setPolicy(ReferencePolicy)
    case editPolicy(ReferenceEdit)
    case setResponseCodes(Bool)
    case testPinning(Bool)
    case addDevice(String, policy: ReferencePolicy?, banMode: String?, pinMode: String?)
    /// The device that attested in the last two minutes (R6.2).
    case addLatest(String, banMode: String)
    case removeDevice(String)
    case clearDeviceState
    case addFilter(ReferenceFilter)
    case removeFilter(String)
    case setSampling(Int)
    case addAuthKey(team: String, ReferenceDeviceCheck)
    case removeAuthKey
    case setSafetyNetKey(String)
    case removeSafetyNetKey
    case addCertificate(String)
    case removeCertificate(String)
    case removeRegistration(ReferenceRegistration)
    case addDomain(SweepDomain)
    case removeDomain(String)

    /// The command as it is typed.
    var line: String {
        switch self {
        case .setPolicy(let policy): "policy -set \(policy.uneditedText)"
        case .editPolicy(let edit): "policy -\(edit.adds ? "add" : "remove")RejectFlag \(edit.flag)"
        case .setResponseCodes(let isOn): "policy -setARC \(isOn ? "on" : "off")"
        case .testPinning(let isOn): isOn ? "policy -setPinningTestURL https://a.com" : "policy -removePinningTestURL"
        case .addDevice(let id, let policy, let banMode, let pinMode):
            "device -add \(id)" + (policy.map { " -policy \($0.text)" } ?? "")
                + (banMode.map { " -banMode \($0)" } ?? "") + (pinMode.map { " -pinMode \($0)" } ?? "")
        case .addLatest(_, let banMode): "device -add latest -banMode \(banMode)"
        case .removeDevice(let id): "device -remove \(id)"
        case .clearDeviceState: "device -clearDeviceState"
        case .addFilter(let filter): filter.command
        case .removeFilter(let name): "filter -remove \(name)"
        case .setSampling(let thousandths): "filter -setSamplingPercentage \(thousandths.percent)"
        case .addAuthKey(let team, let check):
            "devicecheck -addAuthKey AuthKey_KEY.p8 -teamID \(team) -bits \(check.bits) -expiry \(check.expiry)"
        case .removeAuthKey: "devicecheck -remove"
        case .setSafetyNetKey(let key): "safetynet -set \(key)"
        case .removeSafetyNetKey: "safetynet -remove"
        case .addCertificate(let text): "appsigncert -add \(text)"
        case .removeCertificate(let text): "appsigncert -remove \(text)"
        case .removeRegistration(let registration): "registration -remove '\(registration.overallSignature)'"
        case .addDomain(let domain): "api -add \(domain.name)\(domain.isPinOnly ? " -pinOnly" : "")"
        case .removeDomain(let name): "api -remove \(name)"
        }
    }

    /// Changes an account as the command does.
    func apply(to account: inout SweepAccount) {
        switch self {
        case .setPolicy(let policy):
            account.core.policy = policy
            account.core.policy.edits = []
        case .editPolicy(let edit): account.core.policy.edits.append(edit)
        case .setResponseCodes(let isOn): account.hasResponseCodes = isOn
        case .testPinning(let isOn): account.testsPinning = isOn
        case .addDevice(let id, let policy, let banMode, let pinMode):
            account.set(ReferenceDevice(device: id, policy: policy, banMode: banMode), pinMode: pinMode)
        case .addLatest(let id, let banMode): account.set(ReferenceDevice(device: id, banMode: banMode), pinMode: nil)
        case .removeDevice(let id):
            account.core.devices.removeAll { $0.device == id }
            account.pinModes[id] = nil
        case .clearDeviceState: break
        case .addFilter(let filter): account.core.set(filter)
        case .removeFilter(let name): account.core.filters.removeAll { $0.name == name }
        case .setSampling(let thousandths): account.core.sampledThousandths = thousandths
        default: applyToServices(of: &account)
        }
    }

    private func applyToServices(of account: inout SweepAccount) {
        switch self {
        case .addAuthKey(let team, let check):
            (account.team, account.deviceCheck, account.hasDeviceCheckKey) = (team, check, true)
        case .removeAuthKey: account.hasDeviceCheckKey = false
        // R9.3: a new key starts with the default.
        case .setSafetyNetKey(let key): (account.safetyNetKey, account.dailyQuota) = (key, 10_000)
        case .removeSafetyNetKey: account.safetyNetKey = nil
        case .addCertificate(let text): account.certificates.append(text)
        case .removeCertificate(let text): account.certificates.removeAll { $0 == text }
        case .removeRegistration(let gone):
            account.registrations?.removeAll { $0.overallSignature == gone.overallSignature }
        case .addDomain(let domain): account.domains = (account.domains ?? []) + [domain]
        // R14.2a: removing the last one leaves an empty list.
        case .removeDomain(let name): account.domains?.removeAll { $0.name == name }
        default: break
        }
    }
}

extension SweepAccount {
    /// R6.1: adding a device again changes only what is given.
    fileprivate mutating func set(_ entry: ReferenceDevice, pinMode: String?) {
        if let pinMode { pinModes[entry.device] = pinMode }
        guard let index = core.devices.firstIndex(where: { $0.device == entry.device }) else {
            core.devices.append(entry)
            return
        }
        if let policy = entry.policy { core.devices[index].policy = policy }
        if let mode = entry.banMode { core.devices[index].banMode = mode }
    }
}

extension ReferenceAccount {
    /// R7.1: a filter that is added again takes the old one's place.
    fileprivate mutating func set(_ filter: ReferenceFilter) {
        if let index = filters.firstIndex(where: { $0.name == filter.name }) {
            filters[index] = filter
        } else {
            filters.append(filter)
        }
    }
}

extension ReferenceRegistration {
    /// Its name in commands (manual, Listing Registrations).
    fileprivate var overallSignature: String {
        let version = (version ?? "*").replacing("(", with: "[").replacing(")", with: "]")
        return "\(signature)\(package ?? "*")-\(version)\(library.map { "-\($0)" } ?? "")"
    }
}
