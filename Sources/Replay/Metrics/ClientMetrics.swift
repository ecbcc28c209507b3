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

    // The reports of clients of a kind, by the index of each total among all of them.
    private struct Report {
        var counts = [Int](repeating: 0, count: Total.allCases.count)

        mutating func add(_ statistics: ClientStatistics) {
            for (index, total) in Total.allCases.enumerated() { counts[index] += Int(statistics[total]) }
        }
    }

    private typealias Total = Metric.Client.Total

    // By minute since 1970, and by the number of the kind; `nil` where that was not asked for.
    private var minutes: [Int: [Int: Report]]?

    /// Asks for the attributes that it needs.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of clients.
    ///   - keepsSeries: True if reports are kept by minute, too (R13.2a).
    package init(attributes: inout AttributeTable, keepsSeries: Bool = false) {
        minutes = keepsSeries ? [:] : nil
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
    ///
    /// - Parameters:
    ///   - statistics: The client's counts.
    ///   - kind: The number of its kind.
    ///   - time: When it reports that, which may be long after it made the calls (manual, SDK Metrics).
    package mutating func add(_ statistics: ClientStatistics, ofKind kind: Int, at time: Instant) {
        reports[kind].add(statistics)
        if minutes != nil { minutes?[time.minuteNumber, default: [:]][kind, default: Report()].add(statistics) }
    }

    /// Adds the metrics, and those of each minute where there is a series.
    package func add(to figures: inout Figures, attributes: AttributeTable) {
        for kind in kinds.indices {
            for (metric, count) in metrics(of: reports[kind], kinds[kind], attributes) { figures.add(metric, count) }
        }
        for (minute, reports) in minutes ?? [:] {
            var counts: [Metric: Int] = [:]
            for (kind, report) in reports {
                for (metric, count) in metrics(of: report, kinds[kind], attributes) where count > 0 {
                    counts[metric, default: 0] += count
                }
            }
            figures.series?.add(counts, inMinuteOf: Instant(secondsSinceEpoch: minute * 60))
        }
    }

    private func metrics(
        of report: Report, _ kind: Kind, _ attributes: AttributeTable
    ) -> [(metric: Metric, count: Int)] {
        func text(_ value: ValueNumber, _ key: AttributeKey) -> ExactText? {
            value == .absent ? nil : ExactText(attributes.text(of: value, for: key))
        }
        let processor = text(kind.processor, processorKey)
        let kinds = [
            text(kind.library, libraryKey).map(Metric.Client.library),
            text(kind.version, versionKey).map(Metric.Client.version),
            processor.map { .processor($0, kind.system) },
        ]
        let totals = zip(Total.allCases, report.counts).map { (metric: Metric.client(.total($0)), count: $1) }
        let fetches = totals.first { $0.metric == .client(.total(.fetches)) }?.count ?? 0
        return totals + kinds.compactMap(\.self).map { (.client($0), fetches) }
    }
}

extension Metric {
    /// The metrics that clients report (R13.3).
    package enum Client: Hashable, Sendable {
        case total(Total)
        /// Fetches by the identifier of the library: `sdk-id-4000`.
        case library(ExactText)
        /// Fetches by the version of the library: `sdk-version-2.4.0`.
        case version(ExactText)
        /// Fetches by system and processor: `sdk-arch-ios-arm64`.
        case processor(ExactText, OperatingSystem)

        /// The totals that all clients report, by their names.
        package enum Total: String, CaseIterable, Sendable {
            case fetches = "sdk-calls-fetch-sync"
            /// Nobody makes these: how long a call takes is not simulated, so that all fetches are synchronous.
            case asynchronousFetches = "sdk-calls-fetch-async"
            case configurationFetches = "sdk-calls-fetch-config"
            case pinReads = "sdk-calls-get-pins"
            case bindings = "sdk-calls-set-data-hash"
            case integrityProofs = "sdk-calls-integrity-proof"
            case deviceProofs = "sdk-calls-device-proof"
            case signatures = "sdk-calls-message-signature"
            case successes = "sdk-result-success"
            case withoutNetwork = "sdk-result-no-network"
            case withPoorNetwork = "sdk-result-poor-network"
            case intercepted = "sdk-result-mitm-detected"

            /// The call that is counted, such as `fetch-sync`; `nil` where results are.
            package var call: String? { rawValue.part(behind: "sdk-calls-") }
            /// The result that is counted, such as `no-network`; `nil` where calls are.
            package var result: String? { rawValue.part(behind: "sdk-result-") }
        }

        private static let libraryPrefix = "sdk-id-"
        private static let versionPrefix = "sdk-version-"

        /// The name as R13.3 has it.
        var name: String {
            switch self {
            case .total(let total): total.rawValue
            case .library(let library): Self.libraryPrefix + library.text
            case .version(let version): Self.versionPrefix + version.text
            case .processor(let processor, let system): Self.processorPrefix(on: system) + processor.text
            }
        }

        /// The metric of a name; `nil` where clients report nothing of that name.
        init?(_ name: String) {
            func part(behind prefix: String) -> ExactText? {
                name.part(behind: prefix).flatMap { $0.isEmpty ? nil : ExactText($0) }
            }
            if let total = Total(rawValue: name) {
                self = .total(total)
            } else if let library = part(behind: Self.libraryPrefix) {
                self = .library(library)
            } else if let version = part(behind: Self.versionPrefix) {
                self = .version(version)
            } else {
                let processors = OperatingSystem.allCases.lazy.compactMap { system in
                    part(behind: Self.processorPrefix(on: system)).map { Client.processor($0, system) }
                }
                guard let processor = processors.first else { return nil }
                self = processor
            }
        }

        private static func processorPrefix(on system: OperatingSystem) -> String {
            "sdk-arch-\(platform(of: system))-"
        }

        /// A system as the metrics of clients name it.
        package static func platform(of system: OperatingSystem) -> String {
            switch system {
            case .android: "android"
            case .ios: "ios"
            case .unknown: "unknown"
            }
        }
    }
}

/// The counts that a client keeps of its own calls, until it can report them (R13.3).
package struct ClientStatistics: Hashable, Sendable {
    var fetches: UInt32 = 0
    var successes: UInt32 = 0
    var withoutNetwork: UInt32 = 0
    var withPoorNetwork: UInt32 = 0
    var intercepted: UInt32 = 0
    package var bindings: UInt32 = 0
    /// Calls of `fetchConfig`.
    package var configurationFetches: UInt32 = 0
    /// Calls of `getPins`.
    package var pinReads: UInt32 = 0
    /// Calls of `getIntegrityMeasurementProof`.
    package var integrityProofs: UInt32 = 0
    /// Calls of `getDeviceMeasurementProof`.
    package var deviceProofs: UInt32 = 0
    /// Calls of `getMessageSignature`.
    package var signatures: UInt32 = 0

    package init() {}

    /// The count of a total.
    subscript(total: Metric.Client.Total) -> UInt32 {
        switch total {
        case .fetches: fetches
        case .asynchronousFetches: 0
        case .configurationFetches: configurationFetches
        case .pinReads: pinReads
        case .bindings: bindings
        case .integrityProofs: integrityProofs
        case .deviceProofs: deviceProofs
        case .signatures: signatures
        case .successes: successes
        case .withoutNetwork: withoutNetwork
        case .withPoorNetwork: withPoorNetwork
        case .intercepted: intercepted
        }
    }

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
