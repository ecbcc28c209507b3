/// The claims of a token that is to be made (manual, Token Claims).
public struct TokenClaims: Hashable, Sendable {
    /// `exp`: from when on a backend refuses it.
    public var expiry: Instant
    /// `did`: the device.
    public var device: DeviceID?
    /// `arc`: the attestation response code.
    public var responseCode: String?
    /// `ip`: the client's address, as the service saw it.
    public var address: String?
    /// `iss`: who issued it.
    public var issuer: String?
    /// `aud`: the domain that it is for.
    public var audience: String?
    /// `anno`: the names of flags, in the order of their bytes; an empty list is written, too.
    public var annotations: [String]?
    /// `pay`: the hash of the data that it is bound to.
    public var dataHash: String?
    /// `mskid`: the key that messages are signed with.
    public var messageKeyID: String?
    /// `imh`, `dmh` and `mpk`: a measurement, each in base64 (R22.1).
    package var measurement: Measurement?

    /// Makes claims that say only how long they hold.
    public init(expiry: Instant) {
        self.expiry = expiry
    }

    /// The hash of data that a token is bound to: base64 of its SHA-256 (manual, Token Binding).
    ///
    /// - Parameter data: The data that the app passes to `setDataHashInToken`.
    public static func hash(of data: String) -> String {
        Base64.text(of: Cryptography.sha256(of: Array(data.utf8)))
    }

    /// The claims as a JSON document on one line, by name as the manual prints them.
    public var json: [UInt8] {
        var output = JSONBytes()
        write(to: &output)
        return output.bytes
    }

    /// Writes the claims as a JSON document.
    ///
    /// - Complexity: O(length); allocates only where the output grows.
    package func write(to output: inout JSONBytes) {
        output.raw("{")
        if let annotations {
            output.raw("\"anno\":[")
            for (index, name) in annotations.enumerated() {
                if index > 0 { output.raw(",") }
                output.string(name)
            }
            output.raw("],")
        }
        Self.write("\"arc\":", responseCode, to: &output)
        Self.write("\"aud\":", audience, to: &output)
        if let device {
            output.raw("\"did\":\"")
            device.append(to: &output.bytes)
            output.raw("\",")
        }
        Self.write("\"dmh\":", measurement.map { Base64.text(of: $0.device) }, to: &output)
        output.raw("\"exp\":")
        output.integer(expiry.secondsSinceEpoch)
        output.raw(",")
        Self.write("\"imh\":", measurement.map { Base64.text(of: $0.integrity) }, to: &output)
        Self.write("\"ip\":", address, to: &output)
        Self.write("\"iss\":", issuer, to: &output)
        Self.write("\"mpk\":", measurement.map { Base64.text(of: $0.proofKey) }, to: &output)
        Self.write("\"mskid\":", messageKeyID, to: &output)
        Self.write("\"pay\":", dataHash, to: &output)
        // The comma behind the last claim.
        output.bytes[output.bytes.count - 1] = UInt8(ascii: "}")
    }

    private static func write(_ name: StaticString, _ value: String?, to output: inout JSONBytes) {
        guard let value else { return }
        output.raw(name)
        output.string(value)
        output.raw(",")
    }
}
