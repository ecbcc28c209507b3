internal import CLibrary
package import Documents

/// Finds scenario files.
package enum ScenarioFiles {
    /// The name of the folder that holds accounts beside scenarios.
    fileprivate static let accountsFolder = "accounts"

    private static let captureEndings = [".jsonl", ".txt", ".gz", ".zst"]

    /// The scenario files at a path, sorted by the bytes of their paths.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder that is searched for `.yaml` and `.yml` files, in whatever case; folders that start with a
    ///     point are left out.
    ///   - includesAccounts: True if folders called `accounts` are searched, too.
    ///   - boundary: The files that may be read; a link to another one gives an error.
    ///   - diagnostics: Gets an error when there is nothing at the path, and for whatever in the folder cannot be looked
    ///     at: it might be a scenario that then would not be run.
    ///   - limit: The greatest number of names that are looked at; more give an error.
    /// - Returns: None for a folder without scenarios.
    package static func find(
        at path: String, includingAccounts includesAccounts: Bool = false, within boundary: FileBoundary = .anywhere,
        diagnostics: inout Diagnostics, atMost limit: Int = .max
    ) -> [String] {
        guard let status = SystemCall.status(of: path) else {
            diagnostics.add(Diagnostic(FileFailure(errno), in: path))
            return []
        }
        guard status.isKind(S_IFDIR) else {
            guard !captureEndings.contains(where: path.hasSuffix) else {
                diagnostics.add(
                    Diagnostic(
                        file: path, message: "a capture, not a scenario", hint: "`scenario replay` reads captures"))
                return []
            }
            return [path]
        }
        var search = ScenarioSearch(includesAccounts: includesAccounts, boundary: boundary, limit: limit)
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
    let includesAccounts: Bool
    let boundary: FileBoundary
    /// The greatest number of names that are looked at.
    let limit: Int
    var files: [String] = []
    /// The problems of folders and files that could not be examined.
    var diagnostics = Diagnostics()
    // Folders by device and number, so that links that lead back are followed once; and the names looked at so far.
    var visited: Set<[UInt64]> = []
    var count = 0

    /// Walks through a folder, whose path has no slash at its end.
    mutating func enter(_ folder: String, status: stat) {
        guard visited.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else { return }
        let names = diagnostics.attempt(in: folder) { () throws(FileFailure) in try FolderListing.names(in: folder) }
        for name in names ?? [] where count <= limit { look(at: name, in: folder) }
    }

    private mutating func look(at name: FolderListing.Name, in folder: String) {
        guard !name.text.hasPrefix(".") else { return }
        count += 1
        guard count <= limit else {
            return diagnostics.add(
                Diagnostic(file: folder, message: "more than \(limit.grouped) files are not searched"))
        }
        let path = folder + "/" + name.text
        guard name.isUTF8 else { return diagnostics.add(Diagnostic(file: path, message: "the name is not UTF-8")) }
        let isScenario = ScenarioFiles.isScenario(name.text)
        guard let status = SystemCall.status(of: path) else {
            // A link that leads nowhere matters if its name says that it is a scenario.
            if isScenario || errno != ENOENT { diagnostics.add(Diagnostic(FileFailure(errno), in: path)) }
            return
        }
        let isFolder = status.isKind(S_IFDIR)
        guard !isFolder && !isScenario || boundary.contains(path) else {
            return diagnostics.add(
                Diagnostic(file: path, message: "the link leads outside the folders that may be read"))
        }
        if isFolder {
            if includesAccounts || name.text != ScenarioFiles.accountsFolder { enter(path, status: status) }
        } else if isScenario {
            files.append(path)
        }
    }
}
