internal import CSystem
internal import Synchronization

/// A value that one thread at a time may use: the standard library's `Mutex`, reported to ThreadSanitizer.
///
/// The standard library was built without ThreadSanitizer, which therefore takes two threads that use a value under a `Mutex` for
/// a race. Under the sanitizer a lock reports when it is taken and given back; otherwise that is an empty call.
package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let identity = Identity()

    // The identity by which the sanitizer knows the lock; the value must not be read before it knows that the lock is taken.
    private final class Identity: Sendable {}

    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Does something with the value; other threads wait until it is done.
    ///
    /// - Parameter body: Is given the value; must not use the same lock again.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            // SAFETY: the address is a name, nobody reads what lies there; the object lives as long as the lock.
            unsafe thread_sanitizer_locked(Unmanaged.passUnretained(identity).toOpaque())
            defer { unsafe thread_sanitizer_unlocking(Unmanaged.passUnretained(identity).toOpaque()) }
            return try body(&value)
        }
    }
}
