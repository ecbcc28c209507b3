package import Documents

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Finds scenario files.
package enum ScenarioFiles {
    /// The name of the folder that holds accounts, beside scenarios and never searched for them.
    fileprivate static let accountsFolder = "accounts"

    private static let captureEndings = [".jsonl", ".txt", ".gz", ".zst"]

    /// The scenario files at a path, sorted by the bytes of their paths.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder that is searched for `.yaml` and `.yml` files, in whatever case; folders called `accounts`
    ///     and those that start with a point are left out.
    ///   - diagnostics: Gets an error when there is nothing at the path, and for whatever in the folder cannot be looked
    ///     at: it might be a scenario that then would not be run.
    /// - Returns: None for a folder without scenarios.
    package static func find(at path: String, diagnostics: inout Diagnostics) -> [String] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            diagnostics.add(Diagnostic(FileFailure(errno), in: path))
            return []
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard !captureEndings.contains(where: path.hasSuffix) else {
                diagnostics.add(
                    Diagnostic(
                        file: path, message: "a capture, not a scenario", hint: "`scenario replay` reads captures"))
                return []
            }
            return [path]
        }
        var search = ScenarioSearch()
        search.enter(path.hasSuffix("/") ? String(path.dropLast()) : path, status: status)
        diagnostics.merge(search.diagnostics)
        return search.files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// True if a name in a folder is that of a scenario: `.yaml` or `.yml`, in letters of whatever case.
    package static func isScenario(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }
}

/// Walks through a folder and all that lie in it, and notes the scenarios.
private struct ScenarioSearch {
    private(set) var files: [String] = []
    /// The problems of folders and files that could not be examined.
    private(set) var diagnostics = Diagnostics()
    // Folders by device and number, so that links that lead back are followed once.
    private var visited: Set<[UInt64]> = []

    /// Walks through a folder.
    ///
    /// - Parameters:
    ///   - folder: Its path, without a slash at the end.
    ///   - status: The system's status of it.
    mutating func enter(_ folder: String, status: stat) {
        guard visited.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else { return }
        let names = diagnostics.attempt(in: folder) { () throws(FileFailure) in try FolderListing.names(in: folder) }
        for name in names ?? [] { look(at: name, in: folder) }
    }

    private mutating func look(at name: FolderListing.Name, in folder: String) {
        guard !name.text.hasPrefix(".") else { return }
        let path = folder + "/" + name.text
        guard name.isUTF8 else { return diagnostics.add(Diagnostic(file: path, message: "the name is not UTF-8")) }
        let isScenario = ScenarioFiles.isScenario(name.text)
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            // A link that leads nowhere matters if its name says that it is a scenario.
            if isScenario || errno != ENOENT { diagnostics.add(Diagnostic(FileFailure(errno), in: path)) }
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            if name.text != ScenarioFiles.accountsFolder { enter(path, status: status) }
        } else if isScenario {
            files.append(path)
        }
    }
}
