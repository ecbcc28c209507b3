internal import Documents

/// Which scenarios failed last in a working folder (formats: Failed scenarios).
struct FailedScenarios {
    // Of its own for each working folder, so that runs elsewhere do not wait for its lock.
    private let folder: String
    private var path: String { folder + "/failed" }

    /// The number of attempts to lock the file, every 5 ms: a run does not wait for another one longer than a second.
    private static let attempts = 200

    /// - Parameter environment: The value of a variable; XDG_STATE_HOME, or else HOME, says where the file is.
    /// - Returns: `nil` where neither is set.
    init?(environment: (String) -> String?) {
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        // By the XDG specification a path that is not absolute is to be ignored.
        guard let state = environment("XDG_STATE_HOME").flatMap({ $0.hasPrefix("/") ? $0 : nil }) ?? home else {
            return nil
        }
        let name = FileDigest(of: Array(FileLocation("./.").path.utf8)).text.prefix(32)
        folder = "\(state)/scenario/\(name)"
    }

    /// The files, as they were named, in the order of their bytes.
    var files: [String] {
        guard let bytes = try? TextFile.bytes(path: path), let text = String(validating: bytes, as: UTF8.self) else {
            return []
        }
        return text.split(separator: "\0").map(String.init)
    }

    /// Notes which scenarios were run, and which of these failed.
    func note(run: [String], failed: [String]) {
        let before = files
        // A user who never sees a failure gets no file.
        guard !before.isEmpty || !failed.isEmpty else { return }
        guard FolderListing.make(folder),
            let lock = try? FolderLock(ofFoldersOf: [path], attempts: Self.attempts)
        else { return }
        withExtendedLifetime(lock) {
            let known = Set(run.map { FileLocation($0).path })
            let others = files.filter { !known.contains(FileLocation($0).path) }
            let all = Set(others + failed).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            try? OutputFile.write(Array(all.map { $0 + "\0" }.joined().utf8), to: path)
        }
    }
}
