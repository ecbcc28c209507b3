/// Format-preserving encryption: the method FF1 of NIST SP 800-38G, with AES.
///
/// A string of numerals below a radix becomes another of the same length, and back. The inputs that can be enciphered:
///
/// - a radix of 2 through 65 536,
/// - strings of two numerals or more, with `radix^length` ≥ 100, as the standard asks for,
/// - of which no half has more than 2^96 values, `radix^⌈length / 2⌉`, because halves are numbers of 128 bits here,
/// - tweaks of 0 through ``longestTweak`` bytes.
///
/// Everything else is an ``FF1Error``. For one thread at a time.
struct FF1 {
    /// The smallest number of strings of one length that can be enciphered.
    static let smallestDomain: UInt128 = 100
    /// The largest number of values of one half of a string: 2^96.
    static let largestHalf: UInt128 = 1 << 96
    /// The most bytes that a tweak can have.
    static let longestTweak = 65_535
    private static let rounds = 0..<10

    /// The number of different numerals, which are 0 and up, below this.
    let radix: Int
    private let base: UInt128
    private let cipher: BlockCipher

    /// Prepares a key.
    ///
    /// - Parameters:
    ///   - key: 16, 24 or 32 bytes.
    ///   - radix: 2 through 65 536.
    /// - Throws: ``FF1Error/radix(_:)``, ``FF1Error/keyLength(_:)``.
    init(key: [UInt8], radix: Int) throws(FF1Error) {
        guard 2...65_536 ~= radix else { throw .radix(radix) }
        guard let cipher = BlockCipher(key: key) else { throw .keyLength(key.count) }
        self.radix = radix
        base = UInt128(radix)
        self.cipher = cipher
    }

    /// Enciphers a string (algorithm 7 of the standard).
    ///
    /// - Parameters:
    ///   - numerals: The string, the most significant numeral first.
    ///   - tweak: Bytes that select one of many encryptions under the same key; not secret.
    /// - Returns: As many numerals.
    /// - Throws: ``FF1Error`` for a string or a tweak outside the limits.
    /// - Complexity: O(numerals + tweak): 11 blocks of AES, and one for each 16 bytes of tweak.
    func encrypt(_ numerals: [UInt16], tweak: [UInt8] = []) throws(FF1Error) -> [UInt16] {
        let schedule = try schedule(count: numerals.count, tweak: tweak)
        var (left, right) = try halves(of: numerals)
        for round in Self.rounds {
            let modulus = schedule.modulus(of: round)
            let sum = (left + schedule.mask(of: right, round: round, cipher) % modulus) % modulus
            (left, right) = (right, sum)
        }
        return string(of: left, right, schedule)
    }

    /// Deciphers a string: the way back from ``encrypt(_:tweak:)`` (algorithm 8 of the standard).
    ///
    /// - Parameters:
    ///   - numerals: The string, the most significant numeral first.
    ///   - tweak: The bytes that it was enciphered with.
    /// - Returns: As many numerals; any string has an original.
    /// - Throws: ``FF1Error`` for a string or a tweak outside the limits.
    /// - Complexity: That of ``encrypt(_:tweak:)``.
    func decrypt(_ numerals: [UInt16], tweak: [UInt8] = []) throws(FF1Error) -> [UInt16] {
        let schedule = try schedule(count: numerals.count, tweak: tweak)
        var (left, right) = try halves(of: numerals)
        for round in Self.rounds.reversed() {
            let modulus = schedule.modulus(of: round)
            let difference = (right + modulus - schedule.mask(of: left, round: round, cipher) % modulus) % modulus
            (left, right) = (difference, left)
        }
        return string(of: left, right, schedule)
    }
}

// Strings and their halves as numbers.
extension FF1 {
    private func halves(of numerals: [UInt16]) throws(FF1Error) -> (left: UInt128, right: UInt128) {
        let middle = numerals.count / 2
        return (try number(of: numerals, 0..<middle), try number(of: numerals, middle..<numerals.count))
    }

    private func number(of numerals: [UInt16], _ indices: Range<Int>) throws(FF1Error) -> UInt128 {
        var number: UInt128 = 0
        for index in indices {
            guard Int(numerals[index]) < radix else { throw .numeral(numerals[index], index: index) }
            number = number * base + UInt128(truncatingIfNeeded: numerals[index])
        }
        return number
    }

    private func string(of left: UInt128, _ right: UInt128, _ schedule: Schedule) -> [UInt16] {
        var numerals = [UInt16](repeating: 0, count: schedule.count)
        let middle = schedule.count / 2
        write(left, to: &numerals, 0..<middle)
        write(right, to: &numerals, middle..<schedule.count)
        return numerals
    }

    private func write(_ number: UInt128, to numerals: inout [UInt16], _ indices: Range<Int>) {
        var rest = number
        for index in indices.reversed() {
            numerals[index] = UInt16(truncatingIfNeeded: rest % base)
            rest /= base
        }
    }
}

// The values that all rounds of one string share.
extension FF1 {
    private struct Schedule {
        /// The length of the string.
        let count: Int
        /// The number of values of the left half, and of the right one.
        let left, right: UInt128
        /// The cipher block chain over everything but the last block, which alone changes from round to round.
        let chain: UInt128
        /// The last block, with zeros for the number of the round and the half.
        let lastBlock: UInt128
        /// The bits of the longer half as a number, in whole bytes.
        let halfWidth: UInt128
        /// The bits of a block behind those that make a mask.
        let maskShift: UInt128

        /// The number of values of the half that a round changes.
        func modulus(of round: Int) -> UInt128 { round & 1 == 0 ? left : right }

        /// The number that a round adds to one half, made from the other one with the key.
        func mask(of half: UInt128, round: Int, _ cipher: BlockCipher) -> UInt128 {
            let block = lastBlock | UInt128(truncatingIfNeeded: round) &<< halfWidth | half
            return cipher.encrypt(chain ^ block) &>> maskShift
        }
    }

    private func schedule(count: Int, tweak: [UInt8]) throws(FF1Error) -> Schedule {
        let (left, right) = try domain(count: count)
        guard tweak.count <= Self.longestTweak else { throw .tweakLength(tweak.count) }
        let halfBytes = ((right - 1).significantBitCount + 7) / 8
        var blocks = blocks(of: tweak, halfBytes: halfBytes)
        let lastBlock = blocks.removeLast()
        let start = cipher.encrypt(head(count: count, tweakCount: tweak.count))
        return Schedule(
            count: count, left: left, right: right,
            chain: blocks.reduce(start) { cipher.encrypt($0 ^ $1) }, lastBlock: lastBlock,
            halfWidth: UInt128(8 * halfBytes), maskShift: UInt128(96 - 32 * ((halfBytes + 3) / 4)))
    }

    // The numbers of values of the halves; the right one is longer if the length is odd.
    private func domain(count: Int) throws(FF1Error) -> (left: UInt128, right: UInt128) {
        guard count >= 2 else { throw .tooShort(count) }
        var left: UInt128 = 1
        for _ in 0..<count / 2 {
            left *= base
            guard left <= Self.largestHalf else { throw .tooLong(count) }
        }
        let right = count.isMultiple(of: 2) ? left : left * base
        guard right <= Self.largestHalf else { throw .tooLong(count) }
        // Halves of 100 values are enough; smaller ones have a product that fits.
        guard right >= Self.smallestDomain || left * right >= Self.smallestDomain else { throw .tooShort(count) }
        return (left, right)
    }

    // The block `P` of the standard: the method and its sizes.
    private func head(count: Int, tweakCount: Int) -> UInt128 {
        let method: UInt128 = 0x01_02_01
        let sizes = base &<< 80 | UInt128(Self.rounds.count) &<< 72 | UInt128(count / 2 & 0xFF) &<< 64
        return method &<< 104 | sizes | UInt128(count) &<< 32 | UInt128(tweakCount)
    }

    // The blocks `Q` of the standard, with zeros for the round and the half: the tweak, then zeros up to a block's end.
    private func blocks(of tweak: [UInt8], halfBytes: Int) -> [UInt128] {
        var blocks = [UInt128](repeating: 0, count: (tweak.count + 1 + halfBytes + 15) / 16)
        for (index, byte) in tweak.enumerated() {
            blocks[index / 16] |= UInt128(byte) &<< UInt128(120 - index % 16 * 8)
        }
        return blocks
    }
}

extension UInt128 {
    /// The bits up to the first one that is set; 0 for 0.
    fileprivate var significantBitCount: Int { bitWidth - leadingZeroBitCount }
}

/// Why a key, a radix or a numeral string lies outside what ``FF1`` can encipher.
enum FF1Error: Error, Hashable, Sendable {
    /// The key has another length, in bytes, than AES keys have.
    case keyLength(Int)
    /// The radix is not 2 through 65 536.
    case radix(Int)
    /// The tweak, of this number of bytes, is longer than ``FF1/longestTweak``.
    case tweakLength(Int)
    /// So few numerals have fewer than ``FF1/smallestDomain`` values, or are fewer than two.
    case tooShort(Int)
    /// A half of a string of this length has more than 2^96 values.
    case tooLong(Int)
    /// A numeral, at this index from 0, is not below the radix.
    case numeral(UInt16, index: Int)
}

extension FF1Error: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    var description: String {
        switch self {
        case .keyLength(let count): "a key of \(count) bytes; AES keys have 16, 24 or 32"
        case .radix(let radix): "radix \(radix); FF1 takes 2 through 65536"
        case .tweakLength(let count): "a tweak of \(count) bytes; there can be at most \(FF1.longestTweak)"
        case .tooShort(let count): "too few numerals, \(count); there must be two, and 100 values of all together"
        case .tooLong(let count): "too many numerals, \(count); a half can have at most 2^96 values"
        case .numeral(let numeral, let index): "numeral \(numeral) at index \(index) is not below the radix"
        }
    }
}
