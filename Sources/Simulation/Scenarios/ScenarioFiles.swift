internal import Glibc

/// Finds scenario files.
package enum ScenarioFiles {
    /// The name of the folder that holds accounts, beside scenarios and never searched for them.
    static let accountsFolder = "accounts"

    private static let captureEndings = [".jsonl", ".txt", ".gz", ".zst"]

    /// The scenario files at a path, sorted by the bytes of their paths.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder that is searched for `.yaml` and `.yml` files; folders called `accounts` and
    ///     those that start with a point are left out.
    ///   - diagnostics: Gets an error when there is nothing at the path.
    /// - Returns: None for a folder without scenarios.
    package static func find(at path: String, diagnostics: inout Diagnostics) -> [String] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            diagnostics.add(Diagnostic(file: path, message: FileFailure(errno).description))
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
        var search = Search()
        search.enter(path.hasSuffix("/") ? String(path.dropLast()) : path, status: status)
        return search.files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private struct Search {
        var files: [String] = []
        // Folders by device and number, so that links that lead back are followed once.
        private var visited: Set<[UInt64]> = []

        mutating func enter(_ folder: String, status: stat) {
            guard visited.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else { return }
            for (name, status) in ScenarioFiles.entries(of: folder) {
                let path = folder + "/" + name
                if status.st_mode & S_IFMT == S_IFDIR {
                    if name != accountsFolder { enter(path, status: status) }
                } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                    files.append(path)
                }
            }
        }
    }

    // Names in the order of their bytes, whatever the file system's is.
    private static func entries(of folder: String) -> [(name: String, status: stat)] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var entries: [(name: String, status: stat)] = []
        while let entry = unsafe readdir(stream) {
            // SAFETY: the name is a string that ends with a zero inside the entry, and is copied here.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            var status = stat()
            guard !name.hasPrefix("."), unsafe stat(folder + "/" + name, &status) == 0 else { continue }
            entries.append((name, status))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
