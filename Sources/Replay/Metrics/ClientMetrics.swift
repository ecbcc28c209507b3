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
        var configurationFetches = 0
        var pinReads = 0
        var integrityProofs = 0
        var deviceProofs = 0
        var signatures = 0
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
        reports[kind].configurationFetches += Int(statistics.configurationFetches)
        reports[kind].pinReads += Int(statistics.pinReads)
        reports[kind].integrityProofs += Int(statistics.integrityProofs)
        reports[kind].deviceProofs += Int(statistics.deviceProofs)
        reports[kind].signatures += Int(statistics.signatures)
    }

    /// Adds the metrics.
    package func add(to figures: inout Figures, attributes: AttributeTable) {
        for (kind, report) in zip(kinds, reports) {
            figures.add(.client(.total(.fetches)), report.fetches)
            figures.add(.client(.total(.bindings)), report.bindings)
            figures.add(.client(.total(.configurationFetches)), report.configurationFetches)
            figures.add(.client(.total(.pinReads)), report.pinReads)
            figures.add(.client(.total(.integrityProofs)), report.integrityProofs)
            figures.add(.client(.total(.deviceProofs)), report.deviceProofs)
            figures.add(.client(.total(.signatures)), report.signatures)
            figures.add(.client(.total(.successes)), report.successes)
            figures.add(.client(.total(.withoutNetwork)), report.withoutNetwork)
            figures.add(.client(.total(.withPoorNetwork)), report.withPoorNetwork)
            figures.add(.client(.total(.intercepted)), report.intercepted)
            func text(_ value: ValueNumber, _ key: AttributeKey) -> ExactText? {
                value == .absent ? nil : ExactText(attributes.text(of: value, for: key))
            }
            if let library = text(kind.library, libraryKey) { figures.add(.client(.library(library)), report.fetches) }
            if let version = text(kind.version, versionKey) { figures.add(.client(.version(version)), report.fetches) }
            if let processor = text(kind.processor, processorKey) {
                figures.add(.client(.processor(processor, kind.system)), report.fetches)
            }
        }
    }
}

extension Metric {
    /// What clients report (R13.3).
    package enum Client: Hashable, Sendable {
        case total(Total)
        /// Fetches by the identifier of the library: `sdk-id-4000`.
        case library(ExactText)
        /// Fetches by the version of the library: `sdk-version-2.4.0`.
        case version(ExactText)
        /// Fetches by system and processor: `sdk-arch-ios-arm64`.
        case processor(ExactText, OperatingSystem)

        /// What all clients report, by its name.
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
            let platform =
                switch system {
                case .android: "android"
                case .ios: "ios"
                case .unknown: "unknown"
                }
            return "sdk-arch-\(platform)-"
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
