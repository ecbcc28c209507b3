/// P-values of several hypotheses, adjusted so that each can be compared with the level for all of them.
///
/// Results are in the order of the arguments. A p-value outside of 0…1, or one that is not a number, counts as 1. Each
/// function takes O(m log m) for m p-values.
package enum AdjustedPValues {
    /// Controls the probability of rejecting any true hypothesis, however the tests depend on each other.
    ///
    /// Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979): (m -
    /// i + 1) pᵢ for the i-th smallest, but at least the adjusted values of smaller ones.
    package static func holm(_ values: [Double]) -> [Double] {
        var greatest = 0.0
        return adjust(values, ascending: true) { value, rank in
            greatest = max(greatest, min(value * Double(values.count - rank + 1), 1))
            return greatest
        }
    }

    /// Controls the expected share of true hypotheses among the rejected ones, however the tests depend on each other.
    ///
    /// Benjamini and Yekutieli, "The control of the false discovery rate in multiple testing under dependency", Annals of
    /// Statistics 29 (2001): m pᵢ/i times 1 + 1/2 + … + 1/m for the i-th smallest, but at most the adjusted values of larger
    /// ones, and at most 1.
    package static func benjaminiYekutieli(_ values: [Double]) -> [Double] {
        benjaminiYekutieli(values, among: values.count)
    }

    /// The same for some of more hypotheses, of which the others have p-values of 1.
    ///
    /// - Parameters:
    ///   - values: The p-values of some.
    ///   - count: The number of all; at least that of the values.
    package static func benjaminiYekutieli(_ values: [Double], among count: Int) -> [Double] {
        let count = max(count, values.count)
        let factor = harmonicSum(count)
        var least = 1.0
        return adjust(values, ascending: false) { value, rank in
            least = min(least, value * factor * Double(count) / Double(rank))
            return least
        }
    }

    private static func harmonicSum(_ count: Int) -> Double {
        (0..<count).reversed().reduce(0) { $0 + 1 / Double($1 + 1) }
    }

    // Adjusts one p-value after another in the order of their size; the smallest has rank 1.
    private static func adjust(
        _ values: [Double], ascending: Bool, _ adjusted: (_ value: Double, _ rank: Int) -> Double
    ) -> [Double] {
        let sound = values.map { (0...1).contains($0) ? $0 : 1 }
        let order = sound.indices.sorted { sound[$0] < sound[$1] }
        var result = sound
        for rank in ascending ? Array(1..<(order.count + 1)) : (1..<(order.count + 1)).reversed() {
            result[order[rank - 1]] = adjusted(sound[order[rank - 1]], rank)
        }
        return result
    }
}
