/// Why there is no figure.
enum BenchmarkFailure: Error, CustomStringConvertible {
    /// Decisions had another result than the one worked out by hand.
    case wrongAnswer(of: String, got: Answer, expected: Answer)
    /// The counter of allocations missed some, or counted others.
    case wrongCount(counted: Int, made: Int)
    /// These allocate, and must not.
    case allocations([String])

    var description: String {
        switch self {
        case .wrongAnswer(let name, let got, let expected): "\(name): got \(got), expected \(expected)"
        case .wrongCount(let counted, let made): "counted \(counted) allocations where \(made) were made"
        case .allocations(let names): "allocates on the hot path: \(names.joined(separator: "; "))"
        }
    }
}
