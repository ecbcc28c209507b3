/// The number of marked units among those drawn from a population without replacement.
struct HypergeometricDistribution {
    private let marked: Int
    private let others: Int
    private let drawn: Int

    /// - Parameters:
    ///   - marked: The marked units of the population, 0 or more.
    ///   - others: Its other units, 0 or more.
    ///   - drawn: The number of drawn units, at most all.
    init(marked: Int, others: Int, drawn: Int) {
        (self.marked, self.others, self.drawn) = (marked, others, drawn)
    }

    /// The numbers that can occur.
    var support: ClosedRange<Int> { max(0, drawn - others)...min(marked, drawn) }

    /// The most probable number.
    var mode: Int {
        let product = (UInt128(drawn) + 1) * (UInt128(marked) + 1)
        let mode = Int(product / (UInt128(marked) + UInt128(others) + 2))
        return min(max(mode, support.lowerBound), support.upperBound)
    }

    /// The probability of one number, as a quotient of binomial probabilities (Loader).
    func probability(of count: Int) -> Double {
        guard support.contains(count) else { return 0 }
        let total = Double(marked) + Double(others)
        guard total > 0 else { return 1 }
        let (p, q) = (Double(drawn) / total, (total - Double(drawn)) / total)
        func mass(_ count: Int, of all: Int) -> Double {
            BinomialDistribution.mass(Double(count), Double(all - count), p, q)
        }
        let whole = BinomialDistribution.mass(Double(drawn), total - Double(drawn), p, q)
        return mass(count, of: marked) * mass(drawn - count, of: others) / whole
    }

    /// The probability of at most `count`.
    func lowerTail(_ count: Int) -> Double {
        count < mode ? sum(from: count, by: -1) : 1 - sum(from: count + 1, by: 1)
    }

    /// The probability of at least `count`.
    func upperTail(_ count: Int) -> Double {
        count > mode ? sum(from: count, by: 1) : 1 - sum(from: count - 1, by: -1)
    }

    // Adds the probabilities away from the mode until they are negligible, which takes several standard deviations of
    // steps.
    private func sum(from start: Int, by step: Int) -> Double {
        var (sum, term, count) = (0.0, probability(of: start), start)
        while term > sum * Double.ulpOfOne / 4 {
            sum += term
            term *= step > 0 ? ratio(after: count) : 1 / ratio(after: count - 1)
            count += step
        }
        return min(sum, 1)
    }

    // The probability of the next number, divided by that of this one; 0 after the last.
    private func ratio(after count: Int) -> Double {
        let gain = Double(marked - count) * Double(drawn - count)
        return gain / (Double(count + 1) * (Double(others) - Double(drawn) + Double(count + 1)))
    }
}
