import Foundation
import Testing

@testable import Proofs
@testable import TestSupport

/// Z3 is asked again where it gives up early, and what it says is kept.
@Suite struct SolverTests {
    @Test func asksAgainAsLongAsThereIsTime() throws {
        var attempts: [UInt32] = []
        let values = try Solver.values(ProofBudget(.seconds(60))) { milliseconds, attempt in
            #expect(milliseconds > 0)
            attempts.append(attempt)
            return attempt < 3 ? .undecided("canceled") : .values([true])
        }
        expect(values, equals: [true])
        expect(attempts, equals: [0, 1, 2, 3])
    }

    @Test func namesTheReasonWhereItGivesUpEachTime() {
        #expect(throws: Undecided.solver("incomplete")) {
            try Solver.values(ProofBudget(.seconds(60))) { _, _ in .undecided("incomplete") }
        }
    }

    @Test func endsWithTheTime() {
        #expect(throws: Undecided.time(.devices)) {
            try Solver.values(ProofBudget(.zero)) { _, _ in .undecided("timeout") }
        }
        var asked = 0
        #expect(throws: Undecided.time(.devices)) {
            try Solver.values(ProofBudget(.milliseconds(200))) { milliseconds, _ in
                asked += 1
                Thread.sleep(forTimeInterval: Double(milliseconds + 1) / 1000)
                return .undecided("timeout")
            }
        }
        // A machine with other work may have used up the time before the first question.
        #expect(asked <= 1)
    }

    @Test func findsValuesOrNone() throws {
        var constraints = Constraints()
        let (first, second) = (constraints.variable(), constraints.variable())
        constraints.require(first || second)
        constraints.require(!first)
        let solver = try #require(Solver(constraints))
        try expect(solver.values(ProofBudget(.seconds(60))), equals: [false, true])
        solver.require(!second)
        #expect(try solver.values(ProofBudget(.seconds(60))) == nil)
    }

    @Test func loadsTheFirstLibraryThatIsZ3() {
        #expect(Solver.isInstalled)
        #expect(Solver.isZ3(oneOf: ["libz3-missing.so", "libz3.so.4"]))
        // A library that is no Z3, and none at all.
        #expect(!Solver.isZ3(oneOf: ["libm.so.6"]))
        #expect(!Solver.isZ3(oneOf: ["libz3-missing.so"]))
        #expect(!Solver.isZ3(oneOf: []))
    }

    @Test func aSubjectHasOneVariable() {
        var constraints = Constraints()
        let first = constraints.variable(for: "a")
        let (again, other) = (constraints.variable(for: "a"), constraints.variable(for: "b"))
        #expect(first.holds(in: [true, false]) && again.holds(in: [true, false]) && !other.holds(in: [true, false]))
        expect(constraints.variableCount, equals: 2)
    }
}
