import Foundation

/// A fresh folder for a test's files, removed with everything in it when the test lets go of it.
final class ScratchFolder {
    /// The path, without a slash at its end.
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "scratch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of something inside.
    subscript(name: String) -> String { path + "/" + name }

    /// Writes a file, making the folders on its way.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file of any bytes, making the folders on its way.
    @discardableResult
    func write(_ bytes: Data, to name: String) throws -> String {
        let url = URL(filePath: self[name])
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: url)
        return self[name]
    }

    /// A text with the path of the folder left out, so that it is the same in every run.
    func relative(_ text: String) -> String { text.replacing(path + "/", with: "") }
}
