/// The version of the SDK in an app, the attribute `sdk-version`: numbers joined by points, such as `2.4.0`, perhaps with
/// `-bitcode` behind them (manual, SDK Metrics). Versions are compared number by number, and a number that is missing is 0.
package struct SDKVersion: Hashable, Sendable, Comparable {
    // Without zeros at the end, so that equal versions have equal numbers.
    private let numbers: [Int]

    /// Makes a version of its numbers.
    package init(_ numbers: Int...) { self.init(numbers) }

    /// Reads a version: the numbers with which a text begins.
    ///
    /// - Returns: `nil` for a text that begins with no number.
    package init?(_ text: String) {
        var numbers: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let digits = part.utf8.prefix { $0.isDigit }
            guard !digits.isEmpty else { break }
            // A number that is too large for any version is the largest.
            numbers.append(Int(Substring(digits)) ?? .max)
            if digits.count < part.utf8.count { break }
        }
        guard !numbers.isEmpty else { return nil }
        self.init(numbers)
    }

    private init(_ numbers: [Int]) {
        self.numbers = Array(numbers.prefix(1 + (numbers.lastIndex { $0 != 0 } ?? -1)))
    }

    /// True if a version is older than another one.
    package static func < (left: SDKVersion, right: SDKVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}

extension SDKVersion: CustomStringConvertible {
    /// The version as documents write it: three numbers or more, such as `2.4.0`.
    package var description: String {
        let zeros = repeatElement(0, count: max(0, 3 - numbers.count))
        return (numbers + zeros).map(String.init).joined(separator: ".")
    }
}

/// A thing that an app can do only from some version of the SDK on.
package enum SDKFeature: Hashable, Sendable, CaseIterable {
    /// The pinning test (R18.7; manual, Continuous Pinning Testing).
    case pinningTest
    /// SafetyNet (R9.1; manual, Google SafetyNet Integration).
    case safetyNet
    /// User properties (R7.8; manual, User Properties).
    case userProperties
    /// Message signatures (R21.4; manual, Generating Message Signatures in the App).
    case messageSignatures
    /// The loggable form of tokens that name their key (R14.6; manual, Loggable Tokens).
    case loggableKeyIDs
    /// Registrations as app bundles (R15.1a; manual, Registering an App).
    case appBundles
    /// Registrations of every version (R15.1a; manual, Unversioned Registrations).
    case unversionedRegistrations

    /// The first version that can do it.
    package var firstVersion: SDKVersion {
        switch self {
        case .loggableKeyIDs: SDKVersion(2, 2)
        case .appBundles: SDKVersion(2, 3)
        case .pinningTest, .safetyNet: SDKVersion(2, 4)
        case .userProperties, .messageSignatures: SDKVersion(2, 5)
        case .unversionedRegistrations: SDKVersion(2, 6)
        }
    }

    /// True if an SDK of that version can do it.
    ///
    /// - Parameter version: The SDK's; `nil`, where nothing is said of it, counts as new enough.
    package func isSupported(by version: SDKVersion?) -> Bool { version.map { $0 >= firstVersion } ?? true }
}
