internal import Dispatch
internal import Synchronization

/// Several threads that do things which do not depend on one another.
package enum Workers {
    /// Does something with each of some values, on a limited number of threads.
    ///
    /// - Parameters:
    ///   - jobs: The maximum number of threads at a time, 1 or more.
    ///   - body: Is given a value and its index.
    /// - Returns: The results, in the order of the values.
    package static func map<Value: Sendable, Result: Sendable>(
        _ values: [Value], jobs: Int, _ body: @Sendable (Value, Int) -> Result
    ) -> [Result] {
        guard jobs > 1, values.count > 1 else { return values.enumerated().map { body($1, $0) } }
        let next = Atomic(0)
        let results = Lock([Result?](repeating: nil, count: values.count))
        DispatchQueue.concurrentPerform(iterations: min(jobs, values.count)) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < values.count else { return }
                let result = body(values[index], index)
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
