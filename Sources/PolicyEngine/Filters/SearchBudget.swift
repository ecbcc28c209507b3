/// What a search may still do (R7.2): steps and characters are counted, no clock is read, so that it ends the same way on
/// every machine.
struct SearchBudget: Hashable {
    private var remaining: Int
    private var position = 0
    private let perByte: Int
    private let perStep: Int

    /// Nothing may be done.
    static let none = SearchBudget(total: 0, perByte: 1, perStep: 1)

    /// - Parameters:
    ///   - total: All that may be spent.
    ///   - perByte: What moving over one byte of the value costs.
    ///   - perStep: What trying one item of the pattern costs.
    init(total: Int, perByte: Int, perStep: Int) {
        (remaining, self.perByte, self.perStep) = (total, perByte, perStep)
    }

    /// Spends what it costs to have moved to a place of the value and to try an item of the pattern there.
    ///
    /// - Returns: Whether the search may go on.
    mutating func spend(movingTo place: Int) -> Bool {
        remaining -= abs(place - position) * perByte + perStep
        position = place
        return remaining >= 0
    }
}
