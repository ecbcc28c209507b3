extension Int {
    /// The quotient rounded towards negative infinity, as calendars need it.
    func flooredQuotient(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }

    /// The decimal digits, with zeros in front up to a width.
    package func zeroPadded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
