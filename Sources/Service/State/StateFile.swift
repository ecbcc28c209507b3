internal import CSQLite
internal import Documents
internal import PolicyEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The events of a service in a file of SQLite; the one file that knows the library (R23.5).
///
/// An event is in the file when ``append(_:)`` returns: whoever kills the process afterwards does not undo it. For one
/// thread at a time.
@safe
package final class StateFile {
    private let path: String
    // SAFETY: both are made in `init`, used by one thread at a time, and closed in `deinit`.
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?

    // `scen`, as a number of SQLite's header.
    private static let application = 0x7363_656E
    private static let form = 1

    /// Opens a file, and makes it where there is none.
    ///
    /// - Parameters:
    ///   - path: The file; others that SQLite needs stand beside it.
    ///   - origin: What the events depend on, as a digest of the account; a file of another origin is refused.
    /// - Throws: ``StateFailure``.
    package init(path: String, origin: String) throws(StateFailure) {
        self.path = path
        // Nobody else may read what stands in it: keys of the account among others.
        // SAFETY: the path lives through the call.
        let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .refused(Self.systemReason) }
        close(descriptor)
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        // SAFETY: the path lives through the call; the handle is closed in `deinit` also where opening failed.
        guard unsafe sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK else { throw failure }
        try run("PRAGMA locking_mode = EXCLUSIVE")
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        try prepare(origin: origin)
        unsafe insertion = try statement("INSERT INTO event (kind, time, body) VALUES (?, ?, ?)")
    }

    private static var systemReason: String {
        // SAFETY: the text is the system's, and is copied at once.
        unsafe String(cString: strerror(errno))
    }

    deinit {
        // SAFETY: nobody uses them any more; closing nothing is allowed.
        unsafe sqlite3_finalize(insertion)
        unsafe sqlite3_close_v2(database)
    }

    private func prepare(origin: String) throws(StateFailure) {
        try run("BEGIN IMMEDIATE")
        let (application, form) = (try number("PRAGMA application_id"), try number("PRAGMA user_version"))
        let tables = try number("SELECT count(*) FROM sqlite_schema")
        let isNew = application == 0 && form == 0 && tables == 0
        if isNew {
            try run("PRAGMA application_id = \(Self.application)")
            try run("PRAGMA user_version = \(Self.form)")
            try run(
                """
                CREATE TABLE event (
                    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, time INTEGER NOT NULL, body BLOB NOT NULL)
                """)
            try run("CREATE TABLE origin (digest TEXT NOT NULL)")
            let insertion = try unsafe statement("INSERT INTO origin VALUES (?)")
            defer { unsafe sqlite3_finalize(insertion) }
            unsafe bind(Array(origin.utf8), to: insertion, 1)
            guard unsafe sqlite3_step(insertion) == SQLITE_DONE else { throw failure }
        } else {
            guard application == Self.application else { throw .noState }
            guard form == Self.form else { throw .otherForm(form) }
            guard try text("SELECT digest FROM origin") == origin else { throw .otherAccount }
        }
        try run("COMMIT")
    }

    /// Keeps an event.
    ///
    /// - Throws: ``StateFailure``; the event is then not kept.
    package func append(_ event: StateEvent) throws(StateFailure) {
        // SAFETY: the statement is whole, and was reset after its latest use; SQLite copies the bytes.
        unsafe bind(Array(event.kind.rawValue.utf8), to: insertion, 1)
        unsafe sqlite3_bind_int64(insertion, 2, Int64(event.time.secondsSinceEpoch))
        unsafe bind(event.body, to: insertion, 3, isBlob: true)
        let result = unsafe sqlite3_step(insertion)
        let reason = failure
        unsafe sqlite3_reset(insertion)
        guard result == SQLITE_DONE else { throw reason }
    }

    /// Hands over every event in the order in which they were kept.
    ///
    /// - Throws: ``StateFailure``, and what `body` throws.
    package func replay(_ body: (StateEvent) throws(StateFailure) -> Void) throws(StateFailure) {
        let query = try unsafe statement("SELECT kind, time, body FROM event ORDER BY number")
        defer { unsafe sqlite3_finalize(query) }
        while true {
            // SAFETY: the statement is whole; columns are copied before the next step.
            let result = unsafe sqlite3_step(query)
            if result == SQLITE_DONE { return }
            guard result == SQLITE_ROW else { throw failure }
            let name = String(decoding: unsafe Self.bytes(query, 0), as: UTF8.self)
            guard let kind = StateEvent.Kind(rawValue: name) else { throw .unsound("event \(name.quoted)") }
            let time = Instant(secondsSinceEpoch: Int(unsafe sqlite3_column_int64(query, 1)))
            try body(StateEvent(kind, at: time, unsafe Self.bytes(query, 2)))
        }
    }

    // MARK: SQLite

    private var failure: StateFailure {
        // SAFETY: the text is SQLite's, and is copied at once.
        if unsafe sqlite3_errcode(database) == SQLITE_BUSY { return .inUse }
        if unsafe sqlite3_errcode(database) == SQLITE_NOTADB { return .noState }
        return .refused(unsafe String(cString: sqlite3_errmsg(database)))
    }

    private func run(_ sql: String) throws(StateFailure) {
        // SAFETY: the text lives through the call, and nothing is returned.
        guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private func statement(_ sql: String) throws(StateFailure) -> OpaquePointer? {
        var statement: OpaquePointer?
        // SAFETY: the text lives through the call; the caller finalises the statement.
        guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        return unsafe statement
    }

    private func text(_ sql: String) throws(StateFailure) -> String {
        let query = try unsafe statement(sql)
        defer { unsafe sqlite3_finalize(query) }
        // SAFETY: the column is copied before the statement is finalised.
        guard unsafe sqlite3_step(query) == SQLITE_ROW else { throw failure }
        return String(decoding: unsafe Self.bytes(query, 0), as: UTF8.self)
    }

    private func number(_ sql: String) throws(StateFailure) -> Int { Int(try text(sql)) ?? 0 }

    @unsafe
    private func bind(_ bytes: [UInt8], to statement: OpaquePointer?, _ index: Int32, isBlob: Bool = false) {
        // SAFETY: SQLite copies the bytes, which is what the destructor -1 asks for.
        let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        unsafe bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress
            if isBlob {
                // Without an address it would be NULL.
                _ =
                    unsafe buffer.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, start, Int32(buffer.count), copying)
            } else {
                let text = unsafe start?.assumingMemoryBound(to: CChar.self)
                _ = unsafe sqlite3_bind_text(statement, index, text, Int32(buffer.count), copying)
            }
        }
    }

    @unsafe
    private static func bytes(_ statement: OpaquePointer?, _ column: Int32) -> [UInt8] {
        // SAFETY: the column lives until the next step, and has as many bytes as SQLite says.
        let start = unsafe sqlite3_column_blob(statement, column)
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

/// Why the state of a service cannot be kept or read.
package enum StateFailure: DescribedError, Hashable {
    /// The file is none of ours.
    case noState
    /// It was written by another version.
    case otherForm(Int)
    /// It is that of another account, or of the account as it was.
    case otherAccount
    /// Another process uses it.
    case inUse
    /// Something in it makes no sense.
    case unsound(String)
    /// The system or SQLite refuses, in its words.
    case refused(String)

    package var description: String {
        switch self {
        case .noState: "the file is no state of a service"
        case .otherForm(let form): "the state has the form \(form), which this version does not read"
        case .otherAccount: "the state belongs to another account, or to the account before it was edited"
        case .inUse: "another process uses the state"
        case .unsound(let what): "the state is damaged: \(what)"
        case .refused(let reason): "the state cannot be kept: \(reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .otherAccount: "what was decided depends on the account; begin with a new file"
        case .noState: "begin with a new file"
        case .otherForm, .inUse, .unsound, .refused: nil
        }
    }
}
