/// An account: everything that decides on attestations, as a value.
///
/// Changing a copy changes nothing else; an ``Engine`` knows which value is in force when.
public struct Account: Equatable, Sendable {
    /// The name; it takes part in sampling (R7.6).
    @ByteExact public var name: String
    /// The built-in flags and those that the account declares (R2.2).
    public internal(set) var catalogue: FlagCatalogue
    /// The rule sets beside `default` (R3.2).
    @ByteExact public var declaredRules: [String] = []
    /// The policy for devices without one of their own.
    public var policy = SecurityPolicy.initial
    /// True if tokens carry an attestation response code (R12.4).
    public var isResponseCodeOn = true
    /// The secret of its attestation response codes, any bytes; `nil` derives one from the name, which keeps nothing
    /// secret and is for simulations (R12.2).
    public var responseCodeSecret: [UInt8]?
    /// The keys of its tokens and messages.
    public var keys = AccountKeys()
    /// The file of its keys, as the account says it; `nil` where it names none.
    @ByteExact package var keyFile: String?
    /// The extent to which tokens carry the client's address.
    public var ipTracking = IPTracking.token
    /// True if tokens carry their audience.
    public var includesAudience = false
    /// True if tokens carry their issuer.
    public var includesIssuer = false
    /// The URL that an app tries to reach at its first fetch though the pins forbid it (R18.7).
    @ByteExact package var pinningTestURL: String?
    /// Its features beside tokens; `nil` if it has no list of them (R21.1).
    package var features: Set<AccountFeature>?
    /// The strings that apps get once they pass, by their keys (R21.2).
    package var secureStrings: [ExactText: ExactText] = [:]
    /// The key that an app has to give to count as a development version; `nil` if none can (R21.5).
    @ByteExact package var developmentKey: String?
    /// The share of devices that executes the filtered policy (R7.6).
    public var samplingPercentage = Percentage.zero
    /// Seconds from a change until it is in force (R1.5).
    public var propagation = 30
    /// The manual's "few seconds" (R11.2).
    package static let usualGrace = 10
    /// Seconds for which a token outlives its lifetime (R11.2).
    public var grace = Account.usualGrace
    /// The day of the month on which a billing month starts, 1 through 28 (R13.2).
    package var billingDay = 1
    /// The filters, in filter order.
    public internal(set) var filters: [Filter] = []
    /// The devices with settings of their own (R6).
    public internal(set) var devices: [DeviceEntry] = []
    /// DeviceCheck; `nil` where nothing was configured.
    package var deviceCheck: DeviceCheckSettings?
    /// The team of an account without a team ID, where its name does not distinguish it from others (R8.10).
    @ByteExact package var ownTeam: String?
    /// SafetyNet; `nil` where nothing was configured.
    package var safetyNet: SafetyNetSettings?
    /// The certificates that apps may be signed with.
    package internal(set) var certificates: [AppSigningCertificate] = []
    /// The apps that are registered, from which `app-not-registered` is derived; `nil` where the account lists none, so
    /// that devices say themselves whether they are registered (R15.1).
    public internal(set) var registrations: [Registration]?
    /// Those that were removed: a replay adds `app-not-registered` to what they stood for (R15.2).
    package internal(set) var removedRegistrations: [Registration] = []
    /// True if filters may ask for new devices; see ``withoutNewDevices``.
    var knowsNewDevices = true
    /// The API domains that are served; while none was ever listed, any domain is served (R14.2a).
    public internal(set) var apiDomains: [APIDomain] = []
    /// True if the account lists the domains that are served, be it none; without a list any is served (R14.2a).
    package internal(set) var listsAPIDomains = false
    /// The user roles, revoked and expired ones among them; `nil` if the account has no list of them (R24.2).
    package internal(set) var users: [UserRole]?
    /// The files of the accounts in which whoever has this one is a delegate, seen from the account's folder (R24.4).
    @ByteExact package var delegateAccounts: [String] = []
    /// The recipients of mail on the account, and its frequency (R25.1).
    package var monitoring = MonitoringSettings()

    /// Makes a new account with the policy `default,default,default` and nothing else.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - flags: Flags to declare beside the catalogue, in this order.
    /// - Throws: ``FlagError`` for the first flag that cannot be declared.
    public init(name: String = "account", declaring flags: [FlagDeclaration]) throws(FlagError) {
        self.name = name
        var catalogue = FlagCatalogue()
        for flag in flags { try catalogue.declare(flag) }
        self.catalogue = catalogue
    }

    /// Makes a new account with the built-in flags.
    public init(name: String = "account", catalogue: FlagCatalogue = FlagCatalogue()) {
        self.name = name
        self.catalogue = catalogue
    }

    /// The rule sets that policies may name, `default` first.
    public var rules: [String] { [SecurityPolicy.defaultRules] + declaredRules }
}

/// The extent to which tokens carry the client's address; it does not affect filters (R7.2).
public enum IPTracking: String, Hashable, Sendable, CaseIterable {
    /// Tokens carry no address.
    case none
    /// Tokens carry the address, and the service records none.
    case token
    /// Tokens carry the address, and the service may record it.
    case full
}
