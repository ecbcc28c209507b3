internal import PolicyEngine

/// What came of some decisions: enough to see that they were made, and made right.
struct Answer: Equatable {
    /// How many passed.
    var passed = 0
    /// How many carry annotations, as those by the filtered policy do here.
    var annotated = 0
    /// How many were a device's first.
    var first = 0

    mutating func count(_ decision: Decision) {
        if decision.passed { passed += 1 }
        if decision.annotations != nil { annotated += 1 }
        if decision.isFirstAttestation { first += 1 }
    }

    /// The answer to the same question, asked so many times.
    static func * (answer: Answer, times: Int) -> Answer {
        Answer(passed: answer.passed * times, annotated: answer.annotated * times, first: answer.first * times)
    }
}
