/// A file that may not be named.
package struct OutsideFile: DescribedError {
    package let description: String
    package let hint: String?

    fileprivate init(_ file: String, hint: String) {
        description = "\(file) is outside the scenario's folder"
        self.hint = hint
    }
}

/// The files that a file may name: those in its own folder and in folders that the user named, or all.
///
/// A scenario may come from a stranger, and is run where other files are.
package struct FileBoundary: Sendable {
    // The folders without links on the way; `nil` where every file may be named.
    private let folders: [String]?
    private let hint: String

    /// Every file may be named.
    package static let anywhere = FileBoundary(folders: nil, hint: "")

    private init(folders: [String]?, hint: String) {
        (self.folders, self.hint) = (folders, hint)
    }

    /// The folders that the user named.
    ///
    /// - Parameters:
    ///   - paths: Folders, or files, which are left out.
    ///   - hint: The way in which the user names more folders: on a command line, or in an editor.
    package init(
        namedBy paths: [String] = [], hint: String = "name the folder that holds both, or give `--allow-outside`"
    ) {
        self.init(folders: paths.filter { !$0.isEmpty }.map { FileLocation($0 + "/.").path }, hint: hint)
    }

    /// The same, and the folder of a file.
    package func adding(folderOf path: String) -> FileBoundary {
        guard let folders else { return self }
        return FileBoundary(folders: folders + [FileLocation.split(FileLocation(path).path).folder], hint: hint)
    }

    /// The error about a file that may not be named.
    ///
    /// - Parameter file: The kind of the file, and its quoted path.
    package func refusal(of file: String) -> OutsideFile { OutsideFile(file, hint: hint) }

    /// True if a file may be named.
    ///
    /// - Parameter path: The file; links are followed, so that none leads outside.
    package func contains(_ path: String) -> Bool {
        guard let folders else { return true }
        // By bytes: to a string, a slash with a combining mark is another character.
        let target = Array(FileLocation(path).path.utf8)
        return folders.contains { target.starts(with: $0 == "/" ? Array("/".utf8) : Array($0.utf8) + [0x2F]) }
    }
}
