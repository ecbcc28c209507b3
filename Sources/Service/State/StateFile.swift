internal import CSQLite
internal import Documents
internal import PolicyEngine

/// The events of a service in a file of SQLite; the one file that knows the library (R23.5).
///
/// An event is in the file when ``append(_:)`` returns: whoever kills the process afterwards does not undo it. Each has a sum
/// over itself and all before it, and the file says what the last one is, so that nothing can be changed or missing without
/// notice. For one thread at a time.
@safe
package final class StateFile {
    private let path: String
    // SAFETY: both are made in `init`, used by one thread at a time, and closed in `deinit`.
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?
    private var chain: StateChain
    // Events since the log was emptied.
    private var logged = 0

    // `scen`, as a number of SQLite's header.
    private static let mark = StateDescriptor.Mark(application: 0x7363_656E, form: 2)
    // The number of events in the log before they are moved into the file.
    private static let loggedEvents = 1000

    /// Opens a file, and makes it where there is none.
    ///
    /// - Parameters:
    ///   - path: The file; others that SQLite needs are beside it.
    ///   - origin: The origin of the events, a digest of the account; a file of another origin is refused.
    /// - Throws: ``StateFailure``.
    package init(path: String, origin: String) throws(StateFailure) {
        self.path = path
        chain = StateChain(origin: origin)
        try StateDescriptor.check(path: path, mark: Self.mark)
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        // SAFETY: the path lives through the call; the handle is closed in `deinit` also where opening failed.
        guard unsafe sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK else { throw failure }
        try run("PRAGMA locking_mode = EXCLUSIVE")
        try prepare(origin: origin)
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        // The log is emptied here, so that it is never written over.
        try run("PRAGMA wal_autocheckpoint = 0")
        emptyLog()
        unsafe insertion = try statement("INSERT INTO event (number, kind, time, body, sum) VALUES (?, ?, ?, ?, ?)")
    }

    deinit {
        // SAFETY: nobody uses them any more; closing nothing is allowed.
        unsafe sqlite3_finalize(insertion)
        unsafe sqlite3_close_v2(database)
    }

    private func prepare(origin: String) throws(StateFailure) {
        try run("BEGIN IMMEDIATE")
        if try number("SELECT count(*) FROM sqlite_schema") == 0 {
            try create(origin: origin)
        } else {
            let sound = try text("PRAGMA integrity_check(1)")
            guard sound == "ok" else { throw .unsound(sound) }
            guard try text("SELECT digest FROM origin") == origin else { throw .otherAccount }
            chain = StateChain(
                count: try number("SELECT events FROM origin"), sum: try bytes("SELECT sum FROM origin"))
        }
        try run("COMMIT")
    }

    private func create(origin: String) throws(StateFailure) {
        try run(
            """
            PRAGMA application_id = \(Self.mark.application);
            PRAGMA user_version = \(Self.mark.form);
            CREATE TABLE event (
                number INTEGER PRIMARY KEY, kind TEXT NOT NULL, time INTEGER NOT NULL, body BLOB NOT NULL,
                sum BLOB NOT NULL);
            CREATE TABLE origin (digest TEXT NOT NULL, events INTEGER NOT NULL, sum BLOB NOT NULL);
            CREATE TRIGGER last AFTER INSERT ON event BEGIN
                UPDATE origin SET events = NEW.number, sum = NEW.sum;
            END
            """)
        let insertion = try unsafe statement("INSERT INTO origin VALUES (?, 0, ?)")
        defer { unsafe sqlite3_finalize(insertion) }
        unsafe bind(Array(origin.utf8), to: insertion, 1)
        unsafe bind(chain.sum, to: insertion, 2, isBlob: true)
        guard unsafe sqlite3_step(insertion) == SQLITE_DONE else { throw failure }
    }

    /// Keeps an event.
    ///
    /// - Throws: ``StateFailure``; the event is then not kept.
    package func append(_ event: StateEvent) throws(StateFailure) {
        let longer = chain.adding(event)
        // SAFETY: the statement is whole, and was reset after its latest use; SQLite copies the bytes.
        unsafe sqlite3_bind_int64(insertion, 1, Int64(longer.count))
        unsafe bind(Array(event.kind.rawValue.utf8), to: insertion, 2)
        unsafe sqlite3_bind_int64(insertion, 3, Int64(event.time.secondsSinceEpoch))
        unsafe bind(event.body, to: insertion, 4, isBlob: true)
        unsafe bind(longer.sum, to: insertion, 5, isBlob: true)
        let result = unsafe sqlite3_step(insertion)
        let reason = failure
        unsafe sqlite3_reset(insertion)
        guard result == SQLITE_DONE else { throw reason }
        chain = longer
        logged += 1
        if logged >= Self.loggedEvents { emptyLog() }
    }

    // Pages that cannot be moved now, as if the disk is full, stay in the log and are moved later.
    private func emptyLog() {
        // SAFETY: the database is open.
        unsafe sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        logged = 0
    }

    /// Hands over every event in the order in which they were kept.
    ///
    /// - Throws: ``StateFailure``, also where one is not as it was written, and what `body` throws.
    package func replay(_ body: (StateEvent) throws(StateFailure) -> Void) throws(StateFailure) {
        let query = try unsafe statement("SELECT number, kind, time, body, sum FROM event ORDER BY number")
        defer { unsafe sqlite3_finalize(query) }
        var found = StateChain(origin: try text("SELECT digest FROM origin"))
        while true {
            // SAFETY: the statement is whole; columns are copied before the next step.
            let result = unsafe sqlite3_step(query)
            if result == SQLITE_DONE { break }
            guard result == SQLITE_ROW else { throw failure }
            let event = try unsafe Self.event(query)
            found = found.adding(event)
            let isWhole = unsafe sqlite3_column_int64(query, 0) == found.count && Self.bytes(query, 4) == found.sum
            guard isWhole else { throw .unsound("event \(found.count) is not as it was written") }
            try body(event)
        }
        guard found == chain else { throw .unsound("events are missing behind event \(found.count)") }
    }

    @unsafe
    private static func event(_ query: OpaquePointer?) throws(StateFailure) -> StateEvent {
        let name = String(decoding: unsafe bytes(query, 1), as: UTF8.self)
        guard let kind = StateEvent.Kind(rawValue: name) else { throw .unsound("event \(name.quoted)") }
        let time = Instant(secondsSinceEpoch: Int(unsafe sqlite3_column_int64(query, 2)))
        return StateEvent(kind, at: time, unsafe bytes(query, 3))
    }

    // MARK: SQLite

    private var failure: StateFailure {
        // SAFETY: the text is SQLite's, and is copied at once.
        if unsafe sqlite3_errcode(database) == SQLITE_BUSY { return .inUse }
        if unsafe sqlite3_errcode(database) == SQLITE_NOTADB { return .noState }
        let reason = unsafe String(cString: sqlite3_errmsg(database))
        return unsafe sqlite3_errcode(database) & 0xFF == SQLITE_CORRUPT ? .unsound(reason) : .refused(reason)
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
        String(decoding: try bytes(sql), as: UTF8.self)
    }

    private func bytes(_ sql: String) throws(StateFailure) -> [UInt8] {
        let query = try unsafe statement(sql)
        defer { unsafe sqlite3_finalize(query) }
        // SAFETY: the column is copied before the statement is finalised.
        let result = unsafe sqlite3_step(query)
        if result == SQLITE_DONE { throw .unsound("it has no origin") }
        guard result == SQLITE_ROW else { throw failure }
        return unsafe Self.bytes(query, 0)
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
