internal import Synchronization

/// Several threads that do things which do not depend on one another.
package enum Workers {
    /// Does the same on several threads at once, this one among them, and returns when all are done.
    ///
    /// - Parameter count: The number of threads, 1 or more.
    package static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let cancellation = Cancellation.current
        let others = (1..<count).map { _ in
            PlainThread { Cancellation.$current.withValue(cancellation, operation: body) }
        }
        body()
        for other in others { other.join() }
    }

    /// Does something with each of some values, on a limited number of threads.
    ///
    /// - Parameters:
    ///   - jobs: The maximum number of threads at a time, 1 or more.
    ///   - body: Is given a value and its index.
    /// - Returns: The results, in the order of the values.
    package static func map<Value: Sendable, Result: Sendable>(
        _ values: [Value], jobs: Int, _ body: @escaping @Sendable (Value, Int) -> Result
    ) -> [Result] {
        guard jobs > 1, values.count > 1 else { return values.enumerated().map { body($1, $0) } }
        let work = Work<Result>(values.count)
        run(min(jobs, values.count)) {
            while true {
                let index = work.next.add(1, ordering: .relaxed).oldValue
                guard index < values.count else { return }
                let result = body(values[index], index)
                work.results.withLock { $0[index] = result }
            }
        }
        return work.results.withLock { $0.compactMap(\.self) }
    }

    // The number of the next value, and the results so far.
    private final class Work<Result: Sendable>: Sendable {
        let next = Atomic(0)
        let results: Lock<[Result?]>

        init(_ count: Int) { results = Lock([Result?](repeating: nil, count: count)) }
    }
}
