/// Durations as they are written: `45s`, `5m`, `1h30m`, `2d`.
package enum DurationText {
    private static let units: [(letter: Unicode.Scalar, seconds: Int)] = [
        ("y", 365 * 86_400), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// Reads a duration: whole numbers with the units `y` (365 days), `d`, `h`, `m` and `s`, largest first, each at
    /// most once.
    ///
    /// - Parameter text: The whole duration.
    /// - Returns: Seconds, 0 through `DocumentLimits.maximumDuration`.
    /// - Throws: `DurationError`; a number without unit is one, even `0`.
    package static func parse(_ text: String) throws(DurationError) -> Int {
        var rest = text.unicodeScalars[...]
        guard !rest.isEmpty else { throw .malformed }
        var (total, usable) = (0, units[...])
        while !rest.isEmpty {
            let digits = rest.prefix { "0"..."9" ~= $0 }
            guard !digits.isEmpty else { throw .malformed }
            rest = rest.dropFirst(digits.count)
            guard !rest.isEmpty else { throw .missingUnit(number: String(digits)) }
            let word = rest.prefix { $0.properties.isAlphabetic }
            guard !word.isEmpty else { throw .malformed }
            rest = rest.dropFirst(word.count)
            guard let unit = units.firstIndex(where: { String($0.letter) == String(word) }) else {
                throw .unknownUnit(String(word))
            }
            guard usable.indices.contains(unit) else { throw .unitOutOfOrder(String(word)) }
            usable = units[(unit + 1)...]
            total = try add(String(digits), times: units[unit].seconds, to: total)
        }
        return total
    }

    /// Writes a duration, largest unit first, in the form that `parse` reads.
    ///
    /// - Parameter seconds: Any number; below zero a `-` is put in front.
    /// - Returns: Such as `1h30m`; `0s` for nothing.
    package static func text(_ seconds: Int) -> String {
        var rest = seconds.magnitude
        var result = ""
        for unit in units where rest >= UInt(unit.seconds) {
            result += "\(rest / UInt(unit.seconds))\(unit.letter)"
            rest %= UInt(unit.seconds)
        }
        return (seconds < 0 ? "-" : "") + (result.isEmpty ? "0s" : result)
    }

    private static func add(_ digits: String, times unit: Int, to total: Int) throws(DurationError) -> Int {
        guard let number = Int(digits), number <= DocumentLimits.maximumDuration / unit else { throw .tooLong }
        let sum = total + number * unit
        guard sum <= DocumentLimits.maximumDuration else { throw .tooLong }
        return sum
    }
}

/// The reason why a text is not a duration.
package enum DurationError: Error, Hashable, Sendable {
    /// It does not consist of numbers with units.
    case malformed
    /// A number has no unit behind it.
    case missingUnit(number: String)
    /// A unit is none of `y`, `d`, `h`, `m`, `s`.
    case unknownUnit(String)
    /// A unit is given twice, or behind a smaller one.
    case unitOutOfOrder(String)
    /// It is longer than `DocumentLimits.maximumDuration`.
    case tooLong

    /// A hint that might help; `nil` if the message says all.
    package var hint: String? {
        switch self {
        case .malformed: nil
        case .missingUnit(let number): "give \(number.quoted) a unit: \("\(number)s".quoted)"
        case .unknownUnit(let unit): "\(unit.quoted) is not a unit; the units are `y`, `d`, `h`, `m` and `s`"
        case .unitOutOfOrder(let unit):
            "\(unit.quoted) is out of order; each unit can be used once, the largest first: `y`, `d`, `h`, `m`, `s`"
        case .tooLong: "the maximum is 100 years"
        }
    }
}
