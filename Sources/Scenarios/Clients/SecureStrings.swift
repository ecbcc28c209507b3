internal import PolicyEngine

/// The secure strings of an install (R21.2).
struct SecureStrings: Sendable {
    // What the app defined itself.
    private var definitions: [String: String] = [:]
    // What can be had without network, and until when.
    private var available: [String: (text: String, until: Instant)] = [:]

    /// A call for one of them.
    struct Call: Hashable, Sendable {
        let key: String
        /// What it is defined as from now on; empty removes it, `nil` leaves it as it is.
        var definition: String?
    }

    /// A string that can be had without network.
    func available(_ key: String, at time: Instant) -> String? {
        available[key].flatMap { time < $0.until ? $0.text : nil }
    }

    /// Answers a call behind an attestation that passed.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - general: What the account defines.
    ///   - end: Until when the string can be had without network.
    /// - Returns: `nil` where nobody defines it.
    mutating func answer(_ call: Call, general: [String: String], until end: Instant) -> String? {
        if let definition = call.definition { definitions[call.key] = definition.isEmpty ? nil : definition }
        let text = definitions[call.key] ?? general[call.key]
        available[call.key] = text.map { ($0, end) }
        return text
    }
}
