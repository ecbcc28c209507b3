/// A share from 0 to 100 percent, exact to nine decimals, as it was written.
///
/// Kept as a whole number of billionths of a percent, so that no rounding ever moves a device across a threshold.
public struct Percentage: Hashable, Comparable, Sendable {
    /// Billionths of a percent: 0 through 100 000 000 000.
    package let billionths: UInt64

    /// The share as a number from 0 to 1, the nearest that there is.
    package var fraction: Double { Double(billionths) / Double(Self.hundred.billionths) }

    private static let billion: UInt64 = 1_000_000_000

    /// Nothing at all.
    public static let zero = Percentage(billionths: 0)

    /// The whole.
    public static let hundred = Percentage(billionths: 100 * billion)

    private init(billionths: UInt64) {
        self.billionths = billionths
    }

    /// Reads a plain decimal number such as `0.1`, without a percent sign.
    ///
    /// - Parameter text: Digits, optionally a point and up to nine more digits.
    /// - Returns: `nil` when it has another form or lies above 100.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, 1...3 ~= whole.utf8.count, whole.utf8.allSatisfy(\.isDigit),
            let units = UInt64(whole)
        else { return nil }
        var fraction: UInt64 = 0
        if parts.count == 2 {
            guard 1...9 ~= parts[1].utf8.count, parts[1].utf8.allSatisfy(\.isDigit) else { return nil }
            let padded = String(parts[1]) + String(repeating: "0", count: 9 - parts[1].utf8.count)
            guard let digits = UInt64(padded) else { return nil }
            fraction = digits
        }
        guard units * Self.billion + fraction <= Self.hundred.billionths else { return nil }
        billionths = units * Self.billion + fraction
    }

    /// True if a uniformly drawn number falls below this share of its range: `draw < share × 2^64`, exactly.
    ///
    /// - Parameter draw: Any 64-bit number.
    /// - Complexity: O(1); allocates nothing.
    package func contains(_ draw: UInt64) -> Bool {
        UInt128(draw) * UInt128(Self.hundred.billionths) < UInt128(billionths) << 64
    }

    /// True if a part of a whole is no more than this share of it, exactly.
    ///
    /// - Parameters:
    ///   - part: At least 0.
    ///   - whole: At least 0.
    package func isAtLeast(_ part: Int, of whole: Int) -> Bool {
        UInt128(part) * UInt128(Self.hundred.billionths) <= UInt128(billionths) * UInt128(whole)
    }

    /// True if a part of a whole is at least this share of it, exactly.
    ///
    /// - Parameters:
    ///   - part: At least 0.
    ///   - whole: At least 0.
    package func isAtMost(_ part: Int, of whole: Int) -> Bool {
        UInt128(part) * UInt128(Self.hundred.billionths) >= UInt128(billionths) * UInt128(whole)
    }

    /// The sum of two shares; `nil` above 100 %.
    package static func sum(_ shares: some Sequence<Percentage>) -> Percentage? {
        var total: UInt64 = 0
        for share in shares {
            total += share.billionths
            guard total <= hundred.billionths else { return nil }
        }
        return Percentage(billionths: total)
    }

    /// True if the left share is the smaller.
    public static func < (left: Percentage, right: Percentage) -> Bool {
        left.billionths < right.billionths
    }
}

extension Percentage: CustomStringConvertible {
    /// Two decimals, rounded half up, as the manual prints it: `0.10%`.
    public var description: String {
        let hundredths = (billionths + Self.billion / 200) / (Self.billion / 100)
        return "\(hundredths / 100).\(Int(hundredths % 100).zeroPadded(to: 2))%"
    }
}

extension UInt8 {
    /// True if the byte is one of `0` through `9`.
    package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
