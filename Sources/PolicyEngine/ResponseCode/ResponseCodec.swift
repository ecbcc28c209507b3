/// Writes and reads the attestation response codes of one account (R12).
///
/// From a code, those who have the account's secret read whether an attestation passed and which flags it had. Equal
/// attestations have equal codes. For one thread at a time.
public struct ResponseCodec {
    /// The flags that a code can contain: those that a policy can name, as far as the first 63 (R12.2).
    package let encodableFlags: FlagSet
    private let cipher: FF1

    private static let keyMessage = Array("arc v1".utf8)

    /// Makes the codec of an account; whether the account issues codes at all, it says itself (R12.4).
    ///
    /// - Parameter account: Its secret, or else its name, gives the key; its catalogue gives the flags.
    public init(account: Account) {
        encodableFlags = ResponseCodeLayout.long.flags.intersection(FlagSet(first: account.catalogue.namedCount))
        let secret = account.responseCodeSecret ?? Self.derivedSecret(of: account.name)
        let key = Cryptography.hmacSHA256(of: Self.keyMessage, key: secret)
        do throws(FF1Error) {
            cipher = try FF1(key: key, radix: Base32.radix)
        } catch {
            preconditionFailure("a digest is no key: \(error)")
        }
    }

    /// The code of an attestation (R12.1, R12.2).
    ///
    /// - Parameters:
    ///   - passed: The verdict.
    ///   - flags: Every flag of the decision; those that no code can contain are left out.
    /// - Returns: 10 characters; 16 with a flag from the 40th on.
    /// - Complexity: O(1): 11 blocks of AES, about a microsecond.
    public func code(passed: Bool, flags: FlagSet) -> String {
        let encoded = flags.intersection(encodableFlags)
        let plain = ResponseCodeLayout.layout(for: encoded).numerals(
            of: ResponseMeaning(passed: passed, flags: encoded))
        return Base32.text(of: encrypt(plain))
    }

    /// The meaning of a code (R12.3).
    ///
    /// - Parameter text: The text that was read out or submitted, in either case. Characters are not guessed, and white space
    ///   is not skipped.
    /// - Returns: `nil` for a text that is no code of this account: "arc invalid".
    /// - Complexity: O(length of the text).
    public func meaning(of text: String) -> ResponseMeaning? {
        guard let layout = ResponseCodeLayout.layout(ofLength: text.utf8.count),
            let numerals = Base32.numerals(of: text), let meaning = layout.meaning(of: decrypt(numerals)),
            encodableFlags.isSuperset(of: meaning.flags)
        else { return nil }
        // No account writes the long form for flags that the short one can contain.
        return ResponseCodeLayout.layout(for: meaning.flags).length == layout.length ? meaning : nil
    }
}

// The cipher, which takes the numerals of both layouts.
extension ResponseCodec {
    private func encrypt(_ numerals: [UInt16]) -> [UInt16] {
        do throws(FF1Error) {
            return try cipher.encrypt(numerals)
        } catch {
            preconditionFailure("a layout is outside the cipher's limits: \(error)")
        }
    }

    private func decrypt(_ numerals: [UInt16]) -> [UInt16] {
        do throws(FF1Error) {
            return try cipher.decrypt(numerals)
        } catch {
            preconditionFailure("a layout is outside the cipher's limits: \(error)")
        }
    }

    // The secret of an account that has none: no secret to anybody who knows the name, so for simulations only.
    private static func derivedSecret(of name: String) -> [UInt8] {
        Cryptography.sha256(of: Array("arc-secret|\(name)".utf8))
    }
}

/// The meaning of an attestation response code: verdict and flags (R12.3).
public struct ResponseMeaning: Hashable, Sendable {
    /// True if the attestation passed, so that the token is valid.
    public let passed: Bool
    /// The flags of the attestation, as far as a code can contain them.
    public let flags: FlagSet

    /// Makes a meaning.
    package init(passed: Bool, flags: FlagSet) {
        self.passed = passed
        self.flags = flags
    }
}

/// The alphabet of base32 (RFC 4648): `A` through `Z` are 0 through 25, `2` through `7` are 26 through 31.
///
/// One character a numeral, without padding.
enum Base32 {
    /// The number of different numerals.
    static let radix = 32
    /// The bits of a numeral.
    static let width = 5
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Writes numerals as text.
    ///
    /// - Parameter numerals: Each 0 through 31.
    /// - Returns: Upper-case letters and digits, as many as there are numerals.
    static func text(of numerals: [UInt16]) -> String {
        String(decoding: numerals.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Reads text as numerals.
    ///
    /// - Parameter text: Letters of either case and digits; nothing is guessed, so `0` is not an `O` (R12.3).
    /// - Returns: `nil` when any character is outside the alphabet.
    static func numerals(of text: String) -> [UInt16]? {
        var numerals: [UInt16] = []
        for byte in text.utf8 {
            guard let numeral = numeral(of: byte) else { return nil }
            numerals.append(numeral)
        }
        return numerals
    }

    private static func numeral(of byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt16(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt16(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt16(byte - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
