internal import Accounts
internal import Documents
internal import PolicyEngine

/// Something that happens in a scenario, once or again and again.
package struct Step: Sendable {
    /// Seconds from the scenario's start to the first time.
    let at: Int
    /// The position of the step in the file.
    let position: SourcePosition
    let action: StepAction
    var repetition: Repetition?
    /// The expectations about the fetches that the step makes.
    package var expectations: [FetchExpectation] = []

    struct Repetition: Hashable, Sendable {
        /// Seconds from one time to the next, at least 1.
        let every: Int
        /// Seconds from the scenario's start up to which it is repeated, that second included.
        let until: Int
    }

    /// Seconds from the scenario's start to the last time that it begins.
    var lastStart: Int {
        guard let repetition else { return at }
        return at + (repetition.until - at) / repetition.every * repetition.every
    }

    /// Seconds from the scenario's start to the last second in which anything of it can happen.
    var lastTime: Int { lastStart + (action.launchSpan ?? 1) - 1 }
}

/// A call of the SDK beside those for tokens.
enum SDKCall: Hashable, Sendable {
    /// A secure string (R21.2).
    case secureString(SecureStrings.Call)
    /// A token with claims of the app's, by their JSON (R21.3).
    case customToken(payload: String)
    /// A proof of a measurement (R22.2).
    case prove(Measurement.Kind)
}

/// The action of a step; groups by their index in the scenario.
enum StepAction: Sendable {
    /// Each device asks for a token once.
    case fetch(groups: [Int], domain: String?)
    /// Each device makes a request once (R19).
    case request(groups: [Int], RequestTarget)
    /// Each app makes a call of the SDK once, beside those for tokens.
    case call(groups: [Int], SDKCall)
    /// Backends present another chain, or look at tokens differently (R18.6, R19.4).
    case serve([Backends.Change])
    /// A management command, as it was typed.
    case approov(ManagementCommand, line: String, account: Int)
    /// The observed properties of the devices change from now on; flags replace, attributes are added.
    case set(group: Int, DeviceChange)
    /// The app starts anew: at once, or each at a time of its own within some seconds (R14.4).
    case launch(groups: [Int], over: Int?)
    /// The app is removed and installed again (R1.3).
    case reinstall(groups: [Int], keepsID: Bool)
    /// The device is reset: on Android, a new device ID (R1.3).
    case factoryReset(groups: [Int])
    /// The app binds tokens to other data, which ends the cached one (R14.1).
    case bind(group: Int, data: String)
    /// The data that the app binds its tokens to changes by itself from now on, each time after some seconds (R19.1a).
    case binding(groups: [Int], every: Int)
    /// The devices move to another network (R14.2).
    case network(groups: [Int], NetworkChange)
    /// Services do not answer, up to some seconds from the scenario's start; `nil` is without end (R14.3, R20).
    case outage(Outages.Kind, until: Int?)
    /// An account is cancelled: the service does not answer its apps any more (R20).
    case cancel(account: Int)

    /// The groups whose devices fetch.
    var fetchingGroups: [Int] {
        switch self {
        case .fetch(let groups, _), .request(let groups, _), .call(let groups, _): groups
        case .serve, .approov, .set, .launch, .reinstall, .factoryReset, .bind, .binding, .network, .outage, .cancel: []
        }
    }

    /// The seconds over which the launches of a step are spread, counted from the second in which it begins (R14.4).
    var launchSpan: Int? {
        if case .launch(_, let over) = self { over } else { nil }
    }

    /// True if it is a command that changes an account.
    var changesAccount: Bool {
        if case .approov(let command, _, _) = self { command.changesAccount } else { false }
    }

    /// True if it is a command that adds a recipient of notifications (R25.1).
    var addsRecipient: Bool {
        if case .approov(.monitoring(.add), _, _) = self { true } else { false }
    }

    /// The team ID that a command gives to an account, if the step is such a command.
    func teamID(givenToAccount index: Int) -> String? {
        guard case .approov(.deviceCheck(.addAuthKey(let options)), _, index) = self else { return nil }
        return options.teamID
    }
}
