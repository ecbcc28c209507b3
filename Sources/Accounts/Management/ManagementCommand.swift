package import PolicyEngine

/// A management command of the manual, understood but not carried out.
///
/// Texts that only an account can understand, such as policies and flags, are still texts here.
package enum ManagementCommand: Hashable, Sendable {
    /// `policy -set rules,rejection,annotation`
    case setPolicy(String)
    /// `policy -addRejectFlag flag`
    case addRejectFlag(String)
    /// `policy -removeRejectFlag flag`
    case removeRejectFlag(String)
    /// `policy -setARC on|off`
    case setResponseCode(Bool)
    /// `policy -setIPTracking none|token|full`
    case setIPTracking(IPTracking)
    /// `policy -setAudience on|off`
    case setAudience(Bool)
    /// `policy -setIssuer on|off`
    case setIssuer(Bool)
    /// `policy -setPinningTestURL url`, `policy -removePinningTestURL`
    case setPinningTestURL(String?)
    /// `device -add id|latest [options]`
    case addDevice(DeviceTarget, DeviceOptions)
    /// `device -remove id`
    case removeDevice(DeviceID)
    /// `device -removeMatching user|label`
    case removeDevices(matching: String)
    /// `device -clearDeviceState`
    case clearDeviceState
    /// `filter -add name [options]`
    case addFilter(Filter)
    /// `filter -remove name`
    case removeFilter(String)
    /// `filter -setSamplingPercentage number`
    case setSamplingPercentage(Percentage)
    /// `devicecheck -addAuthKey AuthKey_<key-id>.p8 [-teamID id] [-bits bits] [-expiry months]`
    case addAuthKey(AuthKeyOptions)
    /// `devicecheck -remove`
    case removeAuthKey
    /// `safetynet -set key`
    case setSafetyNetKey(String)
    /// `safetynet -remove`
    case removeSafetyNetKey
    /// `appsigncert -add file|fingerprint`
    case addCertificate(String)
    /// `appsigncert -remove fingerprint`
    case removeCertificate(String)
    /// `registration -add package [options]`
    case addRegistration(RegistrationAddition)
    /// `registration -remove registration`
    case removeRegistration(String)
    /// `registration -removeMatching package,age`, the age in seconds
    case removeRegistrations(package: String, age: Int)
    /// `api -add domain [options]`; it is unpinned where no pin is asked for, rather than found
    case addDomain(APIDomain, isUnpinned: Bool = false)
    /// `api -remove domain`
    case removeDomain(String)
    /// `api -getAll file`, `api -setAll file`
    case domains(DomainsCommand)
    /// `token …`
    case token(TokenCommand)
    /// `secret …`
    case secret(SecretCommand)
    /// `keyset …`
    case keySet(KeySetCommand)
    /// What is asked of the account.
    case question(AccountQuestion)
    /// What is asked of the service.
    case query(DeviceQuery)

    /// Whether carrying it out makes another account, rather than asking or clearing something.
    package var changesAccount: Bool {
        switch self {
        case .clearDeviceState, .question, .query, .token: false
        case .domains(let command): command.changesAccount
        case .secret(let command): command.changesAccount
        case .keySet(let command): command.changesAccount
        default: true
        }
    }

    /// Whether it is right or wrong whatever was changed before: it names only what an account declares.
    package var dependsOnDeclarationsOnly: Bool {
        switch self {
        case .setPolicy, .addRejectFlag, .removeRejectFlag: true
        default: false
        }
    }

    /// Which device a command speaks of.
    package enum DeviceTarget: Hashable, Sendable {
        case id(DeviceID)
        /// The one device that attested in the last two minutes (R6.2).
        case latest
    }

    /// The key and the options of `devicecheck -addAuthKey`.
    package struct AuthKeyOptions: Hashable, Sendable {
        package var keyID: String
        package var teamID: String?
        package var bits = DeviceCheckSettings.Bits.none
        package var expiry = DeviceCheckSettings.defaultExpiry

        package init(keyID: String) {
            self.keyID = keyID
        }
    }

    /// The options of `device -add`.
    package struct DeviceOptions: Hashable, Sendable {
        package var policy: String?
        package var label: String?
        package var pinMode: PinMode?
        package var banMode: BanMode?
        package var probeURL: String?

        package init() {}
    }
}
