internal import CLibrary

/// The open files that the system allows, and the connections that they leave room for (R23.6).
struct OpenFileBudget: Hashable, Sendable {
    /// The number of files that the process may have open.
    let limit: Int
    /// The number of files that it has open already.
    let used: Int

    /// Connections with fewer of which nobody is served.
    static let fewestConnections = 16
    // The library has a pool of them.
    private static let fewestThreads = 2
    // Each thread waits by a file of its own, and is woken by another one.
    private static let filesOfThread = 2
    // Files that the library, the database and the system open now and then.
    private static let spare = 16

    init(limit: Int, used: Int) { (self.limit, self.used) = (limit, used) }

    /// Asks the system for as many files as some connections need, and takes what it gives.
    ///
    /// - Parameters:
    ///   - connections: The number that is wanted at once.
    ///   - threads: The number of threads that serve them.
    static func asking(forConnections connections: Int, threads: Int) -> OpenFileBudget {
        let used = openFiles
        let needed = used + reserve(threads) + connections
        var found = rlimit()
        // SAFETY: the structure lives through the calls.
        guard unsafe getrlimit(limitOfFiles, &found) == 0 else { return OpenFileBudget(limit: needed, used: used) }
        if found.rlim_cur < needed {
            var wanted = found
            wanted.rlim_cur = min(rlim_t(needed), found.rlim_max)
            if unsafe setrlimit(limitOfFiles, &wanted) == 0 { found = wanted }
        }
        return OpenFileBudget(limit: Int(clamping: found.rlim_cur), used: used)
    }

    /// The number of threads that serve the connections: if files are few, they are left to connections.
    func threads(wanted: Int, connections: Int) -> Int {
        limit - used - Self.reserve(wanted) < connections ? Self.fewestThreads : max(Self.fewestThreads, wanted)
    }

    /// The greatest number of connections at once.
    ///
    /// - Throws: ``ListeningFailure/tooFewFiles(_:needed:)``.
    func connections(wanted: Int, threads: Int) throws(ListeningFailure) -> Int {
        let room = limit - used - Self.reserve(threads)
        let fewest = min(wanted, Self.fewestConnections)
        guard room >= fewest else { throw .tooFewFiles(limit, needed: limit - room + fewest) }
        return min(wanted, room)
    }

    private static func reserve(_ threads: Int) -> Int { threads * filesOfThread + spare }

    // Numbers are given from the lowest on, so none that matters is above these.
    private static let looked: Int32 = 4096

    private static var openFiles: Int { (0..<looked).count { fcntl($0, F_GETFD) != -1 } }

    #if canImport(Darwin) || canImport(Musl)
        private static let limitOfFiles = RLIMIT_NOFILE
    #else
        private static let limitOfFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
}
