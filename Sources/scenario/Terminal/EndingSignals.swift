internal import CLibrary

/// SIGINT and SIGTERM, which end a server when it has answered what it was asked.
struct EndingSignals {
    private var signals = sigset_t()

    /// Keeps the signals for ``wait()``, in threads that start from now on, too.
    init() {
        // SAFETY: the set lives through the calls.
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Whoever goes away before the answer is no fault.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for one of them.
    func wait() {
        var (signals, received): (sigset_t, Int32) = (signals, 0)
        // SAFETY: both live through the call.
        unsafe sigwait(&signals, &received)
    }
}
