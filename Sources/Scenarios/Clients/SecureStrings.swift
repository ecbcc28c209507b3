internal import PolicyEngine

/// The secure strings of an install (R21.2).
struct SecureStrings: Sendable {
    // The strings that the app defined itself.
    private var definitions: [ExactText: ExactText] = [:]
    // The strings that are available without network, and until when.
    private var available: [ExactText: (text: ExactText, until: Instant)] = [:]

    /// A call for one of them.
    struct Call: Hashable, Sendable {
        @ByteExact var key: String
        /// The new definition; empty removes it, `nil` leaves it as it is.
        @ByteExact var definition: String?
    }

    /// True if a string was had before, whether its time has passed or not.
    func isKept(_ key: String) -> Bool { available[ExactText(key)] != nil }

    /// A string that can be had without network.
    func available(_ key: String, at time: Instant) -> String? {
        available[ExactText(key)].flatMap { time < $0.until ? $0.text.text : nil }
    }

    /// Answers a call behind an attestation that passed.
    ///
    /// - Parameters:
    ///   - general: The strings that the account defines.
    ///   - end: Until when the string can be had without network.
    /// - Returns: `nil` where nobody defines it.
    mutating func answer(_ call: Call, general: [ExactText: ExactText], until end: Instant) -> String? {
        let key = ExactText(call.key)
        if let definition = call.definition { definitions[key] = definition.isEmpty ? nil : ExactText(definition) }
        let text = definitions[key] ?? general[key]
        available[key] = text.map { ($0, end) }
        return text?.text
    }
}
