internal import PolicyEngine

/// The secure strings of an install (R21.2).
struct SecureStrings: Sendable {
    // The strings that the app defined itself, and until when they can be had without network.
    private var defined: [ExactText: (text: ExactText, until: Instant)] = [:]
    // The strings of the account that the latest attestation which passed has brought.
    private var brought: (texts: [ExactText: ExactText], until: Instant)?

    /// A call for one of them.
    struct Call: Hashable, Sendable {
        @ByteExact var key: String
        /// The new definition; empty removes it, `nil` leaves it as it is.
        @ByteExact var definition: String?
    }

    /// True if a string was had before, whether its time has passed or not.
    func isKept(_ key: String) -> Bool {
        defined[ExactText(key)] != nil || brought?.texts[ExactText(key)] != nil
    }

    /// A string that can be had without network.
    func available(_ key: String, at time: Instant) -> String? {
        if let own = defined[ExactText(key)] { return time < own.until ? own.text.text : nil }
        return brought.flatMap { time < $0.until ? $0.texts[ExactText(key)]?.text : nil }
    }

    /// Takes all strings of the account, which an attestation that passed brings.
    ///
    /// - Parameter end: Until when they can be had without network.
    mutating func bring(_ texts: [ExactText: ExactText], until end: Instant) { brought = (texts, end) }

    /// Answers a call behind an attestation that passed.
    ///
    /// - Parameter end: Until when the string can be had without network.
    /// - Returns: `nil` where nobody defines it.
    mutating func answer(_ call: Call, until end: Instant) -> String? {
        let key = ExactText(call.key)
        if let definition = call.definition {
            defined[key] = definition.isEmpty ? nil : (ExactText(definition), end)
        } else if let own = defined[key] {
            defined[key] = (own.text, end)
        }
        return (defined[key]?.text ?? brought?.texts[key])?.text
    }
}
