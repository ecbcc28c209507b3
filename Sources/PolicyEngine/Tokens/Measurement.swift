/// The measurements that the SDK makes of an app and of its device (R22; manual, Offline Security Mode).
///
/// Both measurements are salted anew with each attestation. The salt is kept in the app, so that they can be made again.
package struct Measurement: Hashable, Sendable {
    /// The object of a measurement.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The app, its surroundings and the device.
        case integrity
        /// The device alone.
        case device
    }

    /// The measurement of the app, `imh` in tokens: 32 bytes.
    package let integrity: [UInt8]
    /// The measurement of the device, `dmh`: 32 bytes.
    package let device: [UInt8]
    /// The key of proofs, `mpk`: 16 bytes.
    package let proofKey: [UInt8]
    /// The salt that the app keeps, to measure again.
    package let salt: String

    /// The bytes of a proof's nonce.
    package static let nonceBytes = 16

    /// Measures.
    ///
    /// - Parameters:
    ///   - app: The facts about the app and its surroundings.
    ///   - hardware: The facts about the device.
    ///   - salt: Another one for each attestation.
    ///   - account: The account's name.
    ///   - sdk: The version of the SDK, in whose code the key of proofs is.
    package init(app: [String], hardware: [String], salt: String, account: String, sdk: String) {
        self.salt = salt
        integrity = Self.hash("integrity", app + hardware, salt)
        device = Self.hash("device", hardware, salt)
        proofKey = Array(Cryptography.sha256(of: Array("mpk|\(account)|\(sdk)".utf8)).prefix(16))
    }

    /// The proof of a measurement: HMAC-SHA-256 of nonce and measurement under the key of proofs, 32 bytes (R22.2).
    ///
    /// - Parameters:
    ///   - kind: Of which measurement.
    ///   - nonce: Another one for each proof.
    ///   - key: The key of proofs of the measurement that is proved; `nil` for this one's.
    package func proof(_ kind: Kind, nonce: [UInt8], key: [UInt8]? = nil) -> [UInt8] {
        Cryptography.hmacSHA256(of: nonce + (kind == .integrity ? integrity : device), key: key ?? proofKey)
    }

    // Each part with its length, so that no two lists of parts make the same text.
    private static func hash(_ what: String, _ parts: [String], _ salt: String) -> [UInt8] {
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined(separator: "|")
        return Cryptography.hmacSHA256(of: Array("\(what)|\(text)".utf8), key: Array(salt.utf8))
    }
}
