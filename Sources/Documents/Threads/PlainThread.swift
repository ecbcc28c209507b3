internal import CLibrary

/// A thread of the system that nobody waits for, for work beside everything else.
///
/// Unlike the timers of Dispatch it needs no files, of which a process may have few.
package enum PlainThread {
    /// Starts a thread.
    ///
    /// - Parameter body: The work; the thread ends when it returns.
    /// - Returns: True if the system gives one.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let kept = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        // SAFETY: the thread releases what it is given, and nobody else does; where there is none, it is released here.
        guard unsafe pthread_create(&thread, nil, Self.run, kept.toOpaque()) == 0 else {
            unsafe kept.release()
            return false
        }
        #if canImport(Darwin)
            if let thread { unsafe pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    #if canImport(Darwin)
        private static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
            // SAFETY: `start` retained it for this one release.
            unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }
    #else
        private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            // SAFETY: `start` retained it for this one release.
            if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        }
    #endif
}
