/// Why a key, a radix or a numeral string lies outside what ``FF1`` can encipher.
enum FF1Error: Error, Hashable, Sendable {
    /// The key has another length, in bytes, than AES keys have.
    case keyLength(Int)
    /// The radix is not 2 through 65 536.
    case radix(Int)
    /// The tweak, of so many bytes, is longer than ``FF1/longestTweak``.
    case tweakLength(Int)
    /// So few numerals have fewer than ``FF1/smallestDomain`` values, or are fewer than two.
    case tooShort(Int)
    /// A half of so many numerals has more than 2^96 values.
    case tooLong(Int)
    /// A numeral, at this place counted from 0, is not below the radix.
    case numeral(UInt16, place: Int)
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
        case .numeral(let numeral, let place): "numeral \(numeral) at place \(place) is not below the radix"
        }
    }
}
