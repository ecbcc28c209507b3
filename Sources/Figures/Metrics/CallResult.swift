package import PolicyEngine

/// The result of a call of the SDK (R14.2): a fetch of a token, of a secure string, or of a custom JWT.
package enum CallResult: Hashable, Sendable {
    /// As a fetch of a token ends.
    case fetch(FetchResult)
    /// The attestation failed.
    case rejected
    /// The account lacks the feature (R21.1).
    case disabled
    /// Nobody defines the string.
    case unknownKey
    /// The key is empty or too long.
    case badKey
    /// The payload is no JSON object.
    case badPayload

    /// As the SDK names it.
    package var name: String {
        switch self {
        case .fetch(let result): result.rawValue
        case .rejected: "REJECTED"
        case .disabled: "DISABLED"
        case .unknownKey: "UNKNOWN_KEY"
        case .badKey: "BAD_KEY"
        case .badPayload: "BAD_PAYLOAD"
        }
    }

    /// All of them.
    static let all =
        FetchResult.allCases.map(CallResult.fetch) + [.rejected, .disabled, .unknownKey, .badKey, .badPayload]

    /// The names of the results of a fetch of a token.
    package static let fetches = FetchResult.allCases.map(\.rawValue)
    /// The names of the results of a call beside that: no domain is named.
    package static let secureStrings = networks + [CallResult.rejected, .disabled, .unknownKey, .badKey].map(\.name)
    package static let customTokens = networks + [CallResult.rejected, .disabled, .badPayload].map(\.name)

    private static let networks = [
        FetchResult.success, .noNetwork, .poorNetwork, .mitmDetected, .noApproovService,
    ].map(\.rawValue)
}

extension CallResult: FigureValue {
    package var partial: JSONValue { .string(name) }
    package init?(partial content: JSONContent) {
        guard let result = Self.all.first(where: { $0.name == content.text }) else { return nil }
        self = result
    }
}

/// The result of a fetch for the app (R14.2).
package enum FetchResult: String, Hashable, Sendable, CaseIterable {
    case success = "SUCCESS"
    case noNetwork = "NO_NETWORK"
    case poorNetwork = "POOR_NETWORK"
    case mitmDetected = "MITM_DETECTED"
    case noApproovService = "NO_APPROOV_SERVICE"
    case badURL = "BAD_URL"
    case unknownURL = "UNKNOWN_URL"
    case unprotectedURL = "UNPROTECTED_URL"
}
