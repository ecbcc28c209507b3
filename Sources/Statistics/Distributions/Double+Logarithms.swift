internal import CLibrary

/// The functions of the system's mathematical library that this module uses; no other file imports it.
///
/// Their last binary digits differ between libraries, so round results before they are shown or compared. All other
/// operations give the same results on every machine, because Swift does not fuse multiplications and additions.
extension Double {
    /// e to this power.
    var exponential: Double { exp(self) }

    /// The natural logarithm; -∞ for 0, and not a number below 0.
    var logarithm: Double { log(self) }

    /// ln(1 + x), accurate near 0.
    var logarithmOfOnePlus: Double { log1p(self) }

    /// eˣ - 1, accurate near 0.
    var exponentialMinusOne: Double { expm1(self) }

    /// The complementary error function, 2/√π ∫ₓ^∞ exp(-t²) dt.
    var complementaryError: Double { erfc(self) }
}
