internal import PolicyEngine

/// The result of some decisions: enough to see that they were made, and made right.
struct Answer: Equatable {
    /// The number that passed.
    var passed = 0
    /// The number that carry annotations, as those by the filtered policy do here.
    var annotated = 0
    /// The number that were a device's first.
    var first = 0

    mutating func count(_ decision: Decision) {
        if decision.passed { passed += 1 }
        if decision.annotations != nil { annotated += 1 }
        if decision.isFirstAttestation { first += 1 }
    }

    /// The answer to the same question, asked that number of times.
    static func * (answer: Answer, times: Int) -> Answer {
        Answer(passed: answer.passed * times, annotated: answer.annotated * times, first: answer.first * times)
    }
}
