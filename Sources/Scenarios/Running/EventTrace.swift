package import PolicyEngine

/// Something that an install met in a scenario: a request that it made, or another event.
package enum StepTrace: Hashable, Sendable {
    case request(RequestTrace)
    case event(EventTrace)
}

/// An event of a scenario as a device met it; or several in a row that were the same.
package struct EventTrace: Hashable, Sendable {
    /// When it happened for the first time, and when for the last.
    package let first: Instant
    package internal(set) var last: Instant
    /// The number of events in a row.
    package internal(set) var count = 1
    package let details: Details

    /// The properties that events in a row have in common.
    package struct Details: Hashable, Sendable {
        /// The device that it is about; `nil` if it is about everybody, or about an account.
        package var device: DeviceID?
        package var group: String?
        package let event: Event
    }

    /// An event, with its details.
    package enum Event: Hashable, Sendable {
        /// A fetch of a token, for a domain if it named one.
        case fetch(domain: String?, Fetched)
        /// A call beside those for tokens: its kind, and what it was about.
        case call(kind: String, about: String, rule: String, Fetched)
        /// The app started anew.
        case launch
        /// It was installed anew, or the device was reset, and has this ID now.
        case reinstall(DeviceID)
        case factoryReset(DeviceID)
        /// Tokens are bound to other data.
        case bind
        /// The data that tokens are bound to changes, each time after some seconds.
        case binding(every: Int)
        /// It moved to a network; with whoever is between on the way to some domains, or to all.
        case network(NetworkState, proxy: Between?)
        /// Observed properties of it changed: the keys that the step gives.
        case set([String])
        /// Backends changed, in words.
        case serve(String)
        /// A management command of its account.
        case approov(String)
        /// A service does not answer from now on, up to a time if there is one.
        case outage(Outages.Kind, until: Instant?)
        /// Its account was cancelled.
        case cancel
    }

    /// Whoever sits between an app and its backends.
    package struct Between: Hashable, Sendable {
        /// Sorted; `nil` is all, and the service.
        package let domains: [String]?
        package let isTrusted: Bool
    }

    /// The result of a fetch or a call.
    package struct Fetched: Hashable, Sendable {
        /// The client's status, or the result of a proof.
        package let result: String
        package let isCached: Bool
        /// The attestation behind it; `nil` where there is none.
        package var attestation: Attestation?
    }

    /// The result of an attestation.
    package struct Attestation: Hashable, Sendable {
        package let passed: Bool
        package let rejections: [String]
        package let flags: [String]
        package let policy: String
        /// In seconds.
        package let lifetime: Int
    }
}
