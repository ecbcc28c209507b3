import Testing

@testable import Statistics
@testable import TestSupport

@Suite struct SequentialTests {
    /// The probability that the p-value of a test is ever at most 0.05 within some observations, added up over all
    /// streams.
    private static func alarms(share: Double, tested: Double, length: Int) throws -> Double {
        let fresh = try #require(SequentialShareTest(share: tested))
        // By count: the probability of the streams so far without an alarm.
        var (quiet, alarms) = ([1.0], 0.0)
        for total in 1...length {
            var next = Array(repeating: 0.0, count: total + 1)
            for (count, probability) in quiet.enumerated() where probability > 0 {
                next[count] += probability * (1 - share)
                next[count + 1] += probability * share
            }
            for count in next.indices where next[count] > 0 {
                var test = fresh
                test.observe(successes: count, failures: total - count)
                guard test.pValue <= 0.05 else { continue }
                alarms += next[count]
                next[count] = 0
            }
            quiet = next
        }
        return alarms
    }

    @Test(arguments: [0.01, 0.1, 0.5, 0.9]) func falseAlarmsStayBelowTheLevel(_ share: Double) throws {
        let alarms = try Self.alarms(share: share, tested: share, length: Exhaustive.count(150, whole: 1500))
        #expect(alarms > 0.001 && alarms < 0.05)
    }

    @Test func changesAreNoticed() throws {
        #expect(try Self.alarms(share: 0.5, tested: 0.1, length: 40) > 0.9)
        #expect(try Self.alarms(share: 0.02, tested: 0.5, length: 40) > 0.99)
    }

    @Test func theSmallestValueIsKept() throws {
        var test = try #require(SequentialShareTest(share: 0.1))
        test.observe(successes: 30, failures: 0)
        let least = test.pValue
        test.observe(successes: 0, failures: 270)
        #expect(test.pValue == least && least < 1e-20)
        test.observe(successes: -5, failures: -1)
        expect(test.pValue, equals: least)
    }

    @Test func singleObservationsComeToTheSameAsSeveral() throws {
        let fresh = try #require(SequentialShareTest(share: 0.3))
        var (single, several) = (fresh, fresh)
        for isSuccess in [true, false, true, true] { single.observe(isSuccess) }
        several.observe(successes: 3, failures: 1)
        expect(single.interval(at: .usual), equals: several.interval(at: .usual))
        // (n + 1) b(3; 4, 0.3)
        #expect(abs(several.pValue - 5 * 4 * 0.027 * 0.7) < 1e-15)
    }

    @Test func intervalsHoldWhatIsNotRejected() throws {
        let confidence = Confidence.usual
        let fresh = try #require(SequentialShareTest(share: 0.2))
        expect(fresh.interval(at: confidence), equals: ConfidenceInterval(0, 1))
        for (yes, no) in [(0, 10), (10, 0), (3, 17), (400, 600)] {
            var test = fresh
            test.observe(successes: yes, failures: no)
            let interval = test.interval(at: confidence)
            expect(interval.contains(0.2), equals: (test.pValue > confidence.significance))
            #expect(interval.contains(Double(yes) / Double(yes + no)))
            #expect(interval.lower >= 0 && interval.upper <= 1)
        }
    }

    @Test func otherSharesAreRefused() {
        for share in [0, 1, -1, 2, .nan] { #expect(SequentialShareTest(share: share) == nil) }
    }
}
