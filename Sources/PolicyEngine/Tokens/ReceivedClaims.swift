/// The claims of a token, as they were read (manual, Token Claims).
public struct ReceivedClaims: Hashable, Sendable {
    let content: JSONContent
    /// The claims as they are written in the token.
    public let text: String

    /// Reads claims.
    ///
    /// - Throws: ``TokenError/badClaims(_:)`` for what is no JSON object, and for a claim of the service that has another
    ///   type than the manual says.
    init(_ bytes: [UInt8]) throws(TokenError) {
        do throws(JSONFailure) {
            content = try JSONParser.parse(bytes, maximumNesting: TokenLimits.nesting)
        } catch {
            throw .badClaims(error.message)
        }
        guard case .object = content else { throw .badClaims("they are not a JSON object") }
        text = String(decoding: bytes, as: UTF8.self)
        for name in ["exp", "nbf"] where content[ExactText(name)] != nil && instant(name) == nil {
            throw .badClaims("`\(name)` is not an instant")
        }
        for name in Self.texts where content[ExactText(name)] != nil && content[ExactText(name)]?.text == nil {
            throw .badClaims("`\(name)` is not text")
        }
        if content["anno"] != nil, annotations == nil { throw .badClaims("`anno` is not a list of texts") }
    }

    private static let texts = ["did", "arc", "ip", "iss", "pay", "aud", "mskid"]

    /// From when on the token is no longer valid; the one claim that is always there.
    public var expiry: Instant? { instant("exp") }
    /// From when on the token is valid, if it says so.
    public var start: Instant? { instant("nbf") }
    /// The device that it was issued to.
    public var device: DeviceID? { text(of: "did").flatMap { DeviceID($0) } }
    /// The attestation response code.
    public var responseCode: String? { text(of: "arc") }
    /// The names of the flags in `anno`; `nil` where the policy annotates no token.
    public var annotations: [String]? {
        guard case .array(let items)? = content["anno"] else { return nil }
        let names = items.compactMap(\.text)
        return names.count == items.count ? names : nil
    }
    /// The names of all claims, in their order.
    public var names: [String] {
        if case .object(let members) = content { members.map(\.name.text) } else { [] }
    }

    /// The claims as a value, the members of objects by their names.
    package var json: JSONValue { content.json }

    /// The value of a claim, whatever it is; `nil` where it is not there.
    package func value(of claim: String) -> JSONContent? { content[ExactText(claim)] }

    /// The claims of a token of a failed attestation, too, as whoever issued it knows them.
    ///
    /// - Throws: ``TokenError`` for a token that was made neither with the key nor with the key for failed attestations.
    package static func issued(_ token: String, with key: TokenKey) throws(TokenError) -> ReceivedClaims {
        let text = try CompactToken(token)
        guard text.isEncrypted else { return try ReceivedClaims(try text.bytes(1, .claims)) }
        let (content, bytes) = (try EncryptedContent(text), key.secretBytes)
        let opened = content.opened(with: bytes) ?? content.opened(with: TokenSigner.rejectedKey(of: bytes))
        guard let opened else { throw .cannotBeDecrypted }
        return try ReceivedClaims(opened)
    }

    /// The value of a claim that is text; `nil` where it is not there, or is none.
    public func text(of claim: String) -> String? { content[ExactText(claim)]?.text }

    /// True if the token is bound to data, in constant time; `nil` if it is bound to none, as tokens of the failover are
    /// (manual, Token Binding).
    ///
    /// - Parameter data: The data that the app passed to `setDataHashInToken`.
    public func isBound(to data: String) -> Bool? {
        text(of: "pay").map { Cryptography.areEqual(Array($0.utf8), Array(TokenClaims.hash(of: data).utf8)) }
    }

    // Seconds since 1970, of which a fraction is cut off (RFC 7519, 2: NumericDate).
    private func instant(_ name: String) -> Instant? {
        guard case .number(let digits)? = content[ExactText(name)] else { return nil }
        guard let seconds = Double(digits), TokenLimits.seconds ~= seconds else { return nil }
        return Instant(secondsSinceEpoch: Int(digits) ?? Int(seconds.rounded(.down)))
    }
}
