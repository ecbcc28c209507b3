/// The characters that nobody sees, as the data of Unicode lists them (DerivedCoreProperties.txt,
/// Default_Ignorable_Code_Point), and others that are written by number.
enum Invisible {
    /// The property, range by range.
    static let ignorable: [ClosedRange<UInt32>] = [
        0x00AD...0x00AD, 0x034F...0x034F, 0x061C...0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
        0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
        0xFFA0...0xFFA0, 0xFFF0...0xFFF8, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]

    /// Characters that end lines or annotate, and control characters that have no picture.
    static let others: [ClosedRange<UInt32>] = [0x0080...0x009F, 0x2028...0x2029, 0xFFF9...0xFFFB]

    /// The characters that are written by their numbers in every form of output.
    static let writtenByNumber = Set((ignorable + others).flatMap { $0.compactMap(Unicode.Scalar.init) })

    /// The text for a character by its number.
    static func number(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
    }
}
