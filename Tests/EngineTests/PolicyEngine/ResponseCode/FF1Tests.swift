import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Texts with their ciphers, and those that have none: `Tests/Tables/codes/ff1.txt`.
@Suite("R12.2 Format-preserving encryption") struct FF1Tests {
    /// NIST's key; shorter ones are its beginning.
    private static let key = [UInt8](hexadecimal: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")

    private static let readings: [String: TextCase.Reading] = [
        "R12.2 a sample of NIST's": { line in
            let words = line.split(separator: " ").map(String.init)
            let tweak = words[2] == "-" ? [] : [UInt8](hexadecimal: words[2])
            let plain = words[3].compactMap { UInt16(String($0), radix: 36) }
            return try enciphered(plain, keyLength: Int(words[0]) ?? 0, radix: Int(words[1]) ?? 0, tweak)
        },
        "R12.2 a shape at the edge of the method": { line in
            let numbers = numbers(line)
            let plain = (0..<numbers[2]).map { UInt16((numbers[5] * $0 + numbers[4]) % numbers[1]) }
            let tweak = (0..<numbers[3]).map { UInt8(truncatingIfNeeded: $0) }
            return try enciphered(plain, keyLength: numbers[0], radix: numbers[1], tweak)
        },
        "R12.2 a key and a radix": { line in
            let key = [UInt8](repeating: 0, count: numbers(line)[0])
            return problem { () throws(FF1Error) in _ = try FF1(key: key, radix: numbers(line)[1]) }
        },
        "R12.2 a length, both ways": { line in
            let numerals = [UInt16](repeating: 1, count: numbers(line)[1])
            return try problemOfBothWays(numerals, radix: numbers(line)[0], [])
        },
        "R12.2 a text of radix 10, both ways": { line in
            let numbers = numbers(line)
            let tweak = [UInt8](repeating: 0, count: numbers[0])
            return try problemOfBothWays(numbers.dropFirst().map { UInt16($0) }, radix: 10, tweak)
        },
    ]

    private static func numbers(_ line: String) -> [Int] { line.split(separator: " ").compactMap { Int($0) } }

    // There and back; digits and letters where they suffice.
    private static func enciphered(
        _ plain: [UInt16], keyLength: Int, radix: Int, _ tweak: [UInt8]
    ) throws -> String {
        let cipher = try FF1(key: Array(key.prefix(keyLength)), radix: radix)
        let numerals = try cipher.encrypt(plain, tweak: tweak)
        try expect(cipher.decrypt(numerals, tweak: tweak), equals: plain)
        return radix > 36
            ? numerals.map { "\($0)" }.joined(separator: " ") : numerals.map { String($0, radix: 36) }.joined()
    }

    private static func problemOfBothWays(_ numerals: [UInt16], radix: Int, _ tweak: [UInt8]) throws -> String {
        let cipher = try FF1(key: key, radix: radix)
        let found = problem { () throws(FF1Error) in _ = try cipher.encrypt(numerals, tweak: tweak) }
        expect(problem { () throws(FF1Error) in _ = try cipher.decrypt(numerals, tweak: tweak) }, equals: found)
        return found
    }

    private static func problem(_ body: () throws(FF1Error) -> Void) -> String {
        do throws(FF1Error) {
            try body()
            return "sound"
        } catch {
            return error.description
        }
    }

    @Test(arguments: CaseFile.all(in: "Tables/codes", ending: "ff1.txt")) func enciphers(_ file: CaseFile) throws {
        try file.expectActual { try TextCase.lines($0, by: Self.readings) }
    }

    @Test("R12.2 strings of one length change places: none is lost, none comes twice")
    func everyStringHasOneOriginal() throws {
        let cipher = try FF1(key: Self.key, radix: 10)
        var seen = Set<[UInt16]>()
        for number: UInt16 in 0..<1000 {
            let plain = [number / 100, number / 10 % 10, number % 10]
            let enciphered = try cipher.encrypt(plain)
            try expect(cipher.decrypt(enciphered), equals: plain)
            seen.insert(enciphered)
        }
        expect(seen.count, equals: 1000)
    }
}
