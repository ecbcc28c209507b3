internal import Documents
internal import Glibc

/// Walks through a folder and all that lie in it, and notes the scenarios.
struct ScenarioSearch {
    private(set) var files: [String] = []
    /// What could not be looked at.
    private(set) var diagnostics = Diagnostics()
    // Folders by device and number, so that links that lead back are followed once.
    private var visited: Set<[UInt64]> = []

    /// Walks through a folder.
    ///
    /// - Parameters:
    ///   - folder: Its path, without a slash at the end.
    ///   - status: What the system says of it.
    mutating func enter(_ folder: String, status: stat) {
        guard visited.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else { return }
        do throws(FileFailure) {
            for name in try FolderListing.names(in: folder) { look(at: name, in: folder) }
        } catch {
            diagnostics.add(Diagnostic(error, in: folder))
        }
    }

    private mutating func look(at name: FolderListing.Name, in folder: String) {
        guard !name.text.hasPrefix(".") else { return }
        let path = folder + "/" + name.text
        guard name.isUTF8 else { return note("the name is not UTF-8", at: path) }
        let isScenario = ScenarioFiles.isScenario(name.text)
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            // A link that leads nowhere matters if its name says that it is a scenario.
            if isScenario || errno != ENOENT { note(FileFailure(errno).description, at: path) }
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            if name.text != ScenarioFiles.accountsFolder { enter(path, status: status) }
        } else if isScenario {
            files.append(path)
        }
    }

    private mutating func note(_ message: String, at path: String) {
        diagnostics.add(Diagnostic(file: path, message: message))
    }
}
