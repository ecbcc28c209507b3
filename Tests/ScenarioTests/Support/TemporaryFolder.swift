import Foundation

/// A fresh folder for a test's files, removed with everything in it when the test lets go of it.
final class TemporaryFolder {
    /// The path, without a slash at its end.
    let path: String

    /// Makes a folder.
    ///
    /// - Parameter files: What is in it from the beginning, by name.
    init(_ files: [String: String] = [:]) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of what is in it, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// The text of a file; `nil` where there is none.
    subscript(name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    /// Writes a file, making the folders on its way; a name that ends with a slash is a folder.
    func write(_ text: String, to name: String) throws {
        let url = URL(filePath: "\(path)/\(name)")
        let folder = name.hasSuffix("/") ? url : url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if folder != url { try Data(text.utf8).write(to: url) }
    }
}
