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
        var files: [String] = []
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        search(folder, depth: 0, into: &files, diagnostics: &diagnostics)
        if files.isEmpty {
            diagnostics.add(
                Diagnostic(file: path, message: "no scenario in this folder", hint: "scenarios are .yaml files"))
        }
        return files
    }

    private static func search(
        _ folder: String, depth: Int, into files: inout [String], diagnostics: inout Diagnostics
    ) {
        guard depth < DocumentLimits.maximumNesting else { return }
        for (name, isFolder) in entries(of: folder) {
            let path = folder + "/" + name
            if isFolder {
                if name != accountsFolder { search(path, depth: depth + 1, into: &files, diagnostics: &diagnostics) }
            } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                files.append(path)
            }
        }
    }

    // Names in the order of their bytes, whatever the file system's is.
    private static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var entries: [(name: String, isFolder: Bool)] = []
        while let entry = unsafe readdir(stream) {
            // SAFETY: the name is a string that ends with a zero inside the entry, and is copied here.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            var status = stat()
            guard unsafe stat(folder + "/" + name, &status) == 0 else { continue }
            entries.append((name, status.st_mode & S_IFMT == S_IFDIR))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
