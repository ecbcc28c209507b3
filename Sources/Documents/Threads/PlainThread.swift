internal import CSystem

/// A thread of the system.
///
/// If the system gives none, the process ends as if there were no memory. For the threads of Dispatch it would wait for ever,
/// and its timers need files, of which a process may have few.
package struct PlainThread {
    private let number: UInt

    /// Starts a thread, for which somebody waits by ``join()``.
    ///
    /// - Parameter body: The work; the thread ends when it returns.
    init(_ body: @escaping @Sendable () -> Void) {
        let kept = unsafe Unmanaged.passRetained(Work(body))
        var number: UInt = 0
        // SAFETY: the thread releases what it is given, and nobody else does.
        guard unsafe plain_thread_start(Self.run, kept.toOpaque(), &number) == 0 else {
            partial_files_end_without_thread()
        }
        self.number = number
    }

    /// Starts a thread that nobody waits for, for work beside everything else.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        plain_thread_detach(PlainThread(body).number)
    }

    /// Waits until the work is done; once.
    func join() { plain_thread_join(number) }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        // SAFETY: `init` retained it for this one release.
        if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
    }
}
