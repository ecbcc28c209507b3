internal import CLibrary
internal import Documents
internal import Synchronization

/// Ends connections that do not bring a whole request in time, byte by byte though they may (R23.6).
///
/// The library ends those on which nothing happens; this ends those on which too little does.
final class ConnectionDeadlines: Sendable {
    private let watch: Watch

    /// - Parameter seconds: The time that a request may take.
    init(seconds: Int) {
        watch = Watch(seconds: seconds)
        watch.start()
    }

    deinit { watch.end() }

    /// Notes that a request may begin on a socket.
    func begin(_ socket: Int32) { watch.starts.withLock { $0[socket] = Watch.now } }

    /// Notes that a socket is about to be closed.
    func end(_ socket: Int32) { watch.starts.withLock { $0[socket] = nil } }
}

// The state of the thread, which lives on for a moment.
private final class Watch: Sendable {
    // By socket: when the connection began, or its latest request was answered; in seconds of a clock that never turns back.
    let starts = Lock<[Int32: Int]>([:])
    private let seconds: Int
    private let isOver = Atomic(false)

    private static let stepMicroseconds: UInt32 = 250_000

    init(seconds: Int) { self.seconds = seconds }

    // A plain thread: timers of the system's libraries need files, of which there may be few.
    func start() { PlainThread.start { [self] in run() } }

    func end() { isOver.store(true, ordering: .relaxed) }

    private func run() {
        while !isOver.load(ordering: .relaxed) {
            usleep(Self.stepMicroseconds)
            endLate()
        }
    }

    // A socket is closed only after `end`, so under the lock no other connection has its number.
    private func endLate() {
        let now = Self.now
        starts.withLock { starts in
            for (socket, start) in starts where now - start > seconds {
                shutdown(socket, Int32(SHUT_RDWR))
                starts[socket] = nil
            }
        }
    }

    static var now: Int {
        var time = timespec()
        // SAFETY: the system fills in the time.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}
