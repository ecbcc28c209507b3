/// How a fetch ended for the app (R14.2).
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
