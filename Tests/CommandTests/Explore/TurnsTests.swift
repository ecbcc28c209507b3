import Foundation
import Testing

@testable import Documents
@testable import Explore
@testable import TestSupport

/// The order in which questions are evaluated.
@Suite struct TurnsTests {
    private let asker = Turns.Asker(session: "a", subject: .answer)

    @Test("A question gets its answer, and the next one, too") func answers() {
        let turns = Turns()
        expect(turns.take(asker) { _ in 1 }, equals: 1)
        expect(turns.take(asker) { _ in 2 }, equals: 2)
        expect(turns.take(nil) { _ in 3 }, equals: 3)
    }

    @Test("A newer question of the same asker ends an older one, and no other one does")
    func newer() {
        let turns = Turns()
        for (other, isEnded) in [
            (asker, true), (Turns.Asker(session: "b", subject: .answer), false),
            (Turns.Asker(session: "a", subject: .whatif), false),
        ] {
            let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let older = Lock<Int?>(nil)
            // A thread of its own: the other tests leave none of the shared ones for long.
            Thread.detachNewThread {
                let answer = turns.take(asker) { cancellation in
                    started.signal()
                    // One that is to be ended works until then.
                    var steps = isEnded ? 60_000 : 20
                    while !cancellation.isRequested, steps > 0 {
                        waitBriefly()
                        steps -= 1
                    }
                    return 1
                }
                older.withLock { $0 = answer }
                ended.signal()
            }
            started.wait()
            let newer = turns.take(other) { _ in 2 }
            ended.wait()
            expect(newer, equals: 2)
            expect(older.withLock { $0 }, equals: (isEnded ? nil : 1))
        }
    }

    @Test("The end of a session ends its questions, and those of no other one", arguments: ["a", "b"])
    func end(session: String) {
        let turns = Turns()
        let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let asked = Lock<Int?>(nil)
        Thread.detachNewThread {
            let answer = turns.take(Turns.Asker(session: "acount", subject: .answer)) { cancellation in
                started.signal()
                var steps = session == "a" ? 60_000 : 20
                while !cancellation.isRequested, steps > 0 {
                    waitBriefly()
                    steps -= 1
                }
                return 1
            }
            asked.withLock { $0 = answer }
            ended.signal()
        }
        started.wait()
        turns.end(session)
        ended.wait()
        expect(asked.withLock { $0 }, equals: session == "a" ? nil : 1)
    }

    @Test("The effect of newer changes is asked for in place of all about older ones, and nothing else is") func ends()
    {
        func asker(_ session: String, _ subject: QuestionSubject) -> Turns.Asker {
            Turns.Asker(session: session, subject: subject)
        }
        let answer = asker("tab", .answer)
        let ended = [QuestionSubject.answer, .whatif, .exempt, .hygiene, .devices].map { asker("tab", $0) }
        for other in ended + [asker("tabcount", .answer)] { #expect(answer.ends(other), "\(other)") }
        for other in [asker("tab", .account), asker("tab", .explain), asker("other", .whatif), asker("other", .answer)]
        {
            #expect(!answer.ends(other), "\(other)")
        }
        #expect(!asker("tab", .whatif).ends(answer) && !asker("tabcount", .answer).ends(answer))
        #expect(!asker("tab", .whatif).ends(asker("tab", .devices)))
    }

    @Test("The failure of an ended question is no answer, and that of another one is passed on") func failures() throws
    {
        struct Failure: Error {}
        let turns = Turns()
        #expect(throws: Failure.self) { try turns.take(asker) { _ throws(Failure) -> Int in throw Failure() } }
        let ended = try turns.take(asker) { cancellation throws(Failure) -> Int in
            cancellation.request()
            throw Failure()
        }
        #expect(ended == nil)
    }
}

private func waitBriefly() { Thread.sleep(forTimeInterval: 0.005) }
