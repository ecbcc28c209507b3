import Foundation

/// The files of the package.
enum Repository {
    /// The folder that holds the package.
    static let root: URL = {
        var root = URL(filePath: #filePath)
        for _ in ["Repository.swift", "Facts", "TestSupport", "Tests"] { root.deleteLastPathComponent() }
        return root
    }()

    /// The paths of files, seen from the root and sorted; hidden folders and what is built are left out.
    ///
    /// - Parameters:
    ///   - folders: The folders to look in; one that is missing holds nothing.
    ///   - endings: The endings of the names.
    static func files(in folders: [String], endings: [String]) throws -> [String] {
        var found: [String] = []
        for folder in folders {
            let start = root.appending(path: folder).standardizedFileURL
            guard let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil) else {
                continue
            }
            for case let file as URL in walk {
                let name = file.lastPathComponent
                if name == ".build" || name == ".git" { walk.skipDescendants() }
                guard endings.contains(where: name.hasSuffix) else { continue }
                found.append(String(file.path().dropFirst(root.path().count)))
            }
        }
        return found.sorted()
    }

    /// The text of a file.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
