package import Documents
internal import Glibc

/// Finds scenario files.
package enum ScenarioFiles {
    /// The name of the folder that holds accounts, beside scenarios and never searched for them.
    static let accountsFolder = "accounts"

    private static let captureEndings = [".jsonl", ".txt", ".gz", ".zst"]

    /// The scenario files at a path, sorted by the bytes of their paths.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder that is searched for `.yaml` and `.yml` files, in whatever case; folders called `accounts` and
    ///     those that start with a point are left out.
    ///   - diagnostics: Gets an error when there is nothing at the path, and for whatever in the folder cannot be looked
    ///     at: it might be a scenario that then would not be run.
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
        var search = ScenarioSearch()
        search.enter(path.hasSuffix("/") ? String(path.dropLast()) : path, status: status)
        diagnostics.merge(search.diagnostics)
        return search.files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a name in a folder is that of a scenario: `.yaml` or `.yml`, in letters of whatever case.
    package static func isScenario(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }
}
