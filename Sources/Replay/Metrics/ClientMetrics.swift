package import PolicyEngine

/// Adds up what clients report: the `sdk-` metrics (R13.3).
package struct ClientMetrics {
    private let libraryKey: AttributeKey
    private let processorKey: AttributeKey
    private let versionKey: AttributeKey
    // The kinds of client, and by their number what they reported.
    private var numbers: [Kind: Int] = [:]
    private var kinds: [Kind] = []
    private var reports: [Report] = []

    private struct Kind: Hashable {
        let system: OperatingSystem
        let library: ValueNumber
        let processor: ValueNumber
        let version: ValueNumber
    }

    private struct Report {
        var fetches = 0
        var successes = 0
        var withoutNetwork = 0
        var withPoorNetwork = 0
        var intercepted = 0
        var bindings = 0
    }

    /// Asks for the attributes that it needs.
    package init(attributes: inout AttributeTable) {
        libraryKey = attributes.key(named: "sdkid", keepingAll: true)
        processorKey = attributes.key(named: "archid", keepingAll: true)
        versionKey = attributes.key(named: "sdk-version", keepingAll: true)
    }

    /// The number of the kind of client that sends an attestation.
    package mutating func kind(of attestation: borrowing Attestation, on system: OperatingSystem) -> Int {
        let kind = Kind(
            system: system, library: attestation.value(of: libraryKey),
            processor: attestation.value(of: processorKey), version: attestation.value(of: versionKey))
        if let known = numbers[kind] { return known }
        numbers[kind] = kinds.count
        kinds.append(kind)
        reports.append(Report())
        return kinds.count - 1
    }

    /// Takes what a client of a kind has to report.
    package mutating func take(_ statistics: ClientStatistics, ofKind kind: Int) {
        reports[kind].fetches += Int(statistics.fetches)
        reports[kind].successes += Int(statistics.successes)
        reports[kind].withoutNetwork += Int(statistics.withoutNetwork)
        reports[kind].withPoorNetwork += Int(statistics.withPoorNetwork)
        reports[kind].intercepted += Int(statistics.intercepted)
        reports[kind].bindings += Int(statistics.bindings)
    }

    /// Adds the metrics by name.
    package func add(to figures: inout Figures, attributes: AttributeTable) {
        for (kind, report) in zip(kinds, reports) {
            figures.add("sdk-calls-fetch-sync", report.fetches)
            figures.add("sdk-calls-set-data-hash", report.bindings)
            figures.add("sdk-result-success", report.successes)
            figures.add("sdk-result-no-network", report.withoutNetwork)
            figures.add("sdk-result-poor-network", report.withPoorNetwork)
            figures.add("sdk-result-mitm-detected", report.intercepted)
            let parts = [("sdk-id-", kind.library, libraryKey), ("sdk-version-", kind.version, versionKey)]
            for (prefix, value, key) in parts where value != .absent {
                figures.add(prefix + attributes.text(of: value, for: key), report.fetches)
            }
            guard kind.processor != .absent else { continue }
            let processor = attributes.text(of: kind.processor, for: processorKey)
            figures.add("sdk-arch-\(kind.system.platformName)-\(processor)", report.fetches)
        }
    }
}

extension OperatingSystem {
    /// The name inside `sdk-arch-` metrics.
    fileprivate var platformName: String {
        switch self {
        case .android: "android"
        case .ios: "ios"
        case .unknown: "unknown"
        }
    }
}

/// What a client counts of its own calls, until it can report it (R13.3).
package struct ClientStatistics: Hashable, Sendable {
    var fetches: UInt32 = 0
    var successes: UInt32 = 0
    var withoutNetwork: UInt32 = 0
    var withPoorNetwork: UInt32 = 0
    var intercepted: UInt32 = 0
    package var bindings: UInt32 = 0

    package init() {}

    /// Counts a fetch.
    package mutating func count(_ result: FetchResult) {
        fetches &+= 1
        switch result {
        case .success: successes &+= 1
        case .noNetwork: withoutNetwork &+= 1
        case .poorNetwork: withPoorNetwork &+= 1
        case .mitmDetected: intercepted &+= 1
        case .noApproovService, .badURL, .unknownURL, .unprotectedURL: break
        }
    }
}

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
