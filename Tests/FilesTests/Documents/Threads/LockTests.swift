import Dispatch
import Testing

@testable import Documents
@testable import TestSupport

@Suite("Locks")
struct LockTests {
    @Test("no addition of eight threads is lost")
    func additions() {
        let sum = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { sum.withLock { $0 += 1 } }
        }
        expect(sum.withLock { $0 }, equals: 80_000)
    }

    @Test("an error leaves the lock free")
    func errors() {
        struct Failure: Error {}
        let sum = Lock(1)
        #expect(throws: Failure.self) {
            try sum.withLock { (value: inout sending Int) throws(Failure) in
                value = 2
                throw Failure()
            }
        }
        expect(sum.withLock { $0 }, equals: 2)
    }
}
