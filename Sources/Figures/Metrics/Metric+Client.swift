package import PolicyEngine

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
        package var name: String {
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
    package subscript(total: Metric.Client.Total) -> UInt32 {
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
