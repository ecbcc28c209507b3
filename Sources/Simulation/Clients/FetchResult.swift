/// How a fetch ended for the app (R14.2).
package enum FetchResult: String, Hashable, Sendable, CaseIterable {
    case success = "SUCCESS"
    case mitmDetected = "MITM_DETECTED"
    case unknownURL = "UNKNOWN_URL"
    case unprotectedURL = "UNPROTECTED_URL"
}
