import Testing

@testable import Documents
@testable import TestSupport

/// Numbers in words: rounded to the nearest, with the digits that are asked for.
@Suite struct DoubleTextTests {
    @Test(arguments: [
        (0.0, "0.0", "0"), (4.309972, "4.31", "4.30997"), (0.1496748, "0.150", "0.149675"),
        (99.9996, "100.0", "99.9996"),
        (12.04, "12.0", "12.04"), (1234.56, "1,234.6", "1234.56"), (0.00149674489, "0.00150", "0.00149674"),
        (-0.25, "-0.250", "-0.25"), (1, "1.00", "1"), (0.9999996, "1.000", "1"), (0.052, "0.0520", "0.052"),
        (1e-17, "0.000000000000000", "0"),
    ]) func digits(_ number: Double, three: String, six: String) {
        expect(number.text(significantDigits: 3, leastDecimals: 1), equals: three)
        expect(number.sixDigits, equals: six)
    }

    @Test func decimals() {
        expect((0.5).text(decimals: 0), equals: "1")
        expect((-0.001).text(decimals: 2), equals: "0.00")
        expect((1234567.891).text(decimals: 2), equals: "1,234,567.89")
    }
}
