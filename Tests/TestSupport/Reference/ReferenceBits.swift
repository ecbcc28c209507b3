/// The two bits that Apple keeps of a device, and the month of their last change (R8.3).
struct ReferenceBits: Hashable, Sendable, CustomStringConvertible {
    var bit0 = false
    var bit1 = false
    /// Months since January of the year 0.
    var month: Int

    /// Both as a number: bit 0 counts one, bit 1 counts two.
    var count: Int { (bit0 ? 1 : 0) + (bit1 ? 2 : 0) }

    /// Such as `2 of 2018-03`.
    var description: String {
        let number = month % 12 + 1
        return "\(count) of \(month / 12)-\(number < 10 ? "0" : "")\(number)"
    }

    init(count: Int, month: Int) {
        bit0 = count == 1 || count == 3
        bit1 = count == 2 || count == 3
        self.month = month
    }
}
