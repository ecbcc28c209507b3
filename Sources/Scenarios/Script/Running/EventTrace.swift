package import PolicyEngine

/// Something that an install met in a scenario, or several in a row that were the same.
package struct StepTrace: Hashable, Sendable {
    /// When it happened for the first time, and when for the last.
    package let first: Instant
    package internal(set) var last: Instant
    /// The number of times in a row.
    package internal(set) var count = 1
    package let details: Details

    package enum Details: Hashable, Sendable {
        case request(RequestTrace)
        case event(EventTrace)
    }
}

/// An event of a scenario as a device met it.
package struct EventTrace: Hashable, Sendable {
    /// The device that it is about; `nil` if it is about everybody, or about an account.
    package var device: DeviceID?
    package var group: String?
    package let event: Event

    /// An event, in words.
    package struct Event: Hashable, Sendable {
        /// The key of the step.
        package let kind: String
        /// The words behind the group in a heading, in place of the key.
        var words: String?
        /// The rule that speaks of it, and the part that it is about.
        package let rule: String
        package let name: String
        /// The event of other steps than fetches and calls.
        package var line = ""
        /// The result of a fetch or a call.
        package var fetched: Fetched?

        /// The words behind the group in a heading.
        package var subject: String { words ?? kind }
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
        /// The lifetime of the token, in seconds.
        package let lifetime: Int
    }
}
