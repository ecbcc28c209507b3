import Foundation

/// A fresh folder for a test's files, removed with everything in it when the test lets go of it.
final class TemporaryFolder {
    /// The path, without a slash at its end.
    let path: String

    /// Makes a folder.
    ///
    /// - Parameter files: The files that are in it from the beginning, by name.
    init(_ files: [String: String] = [:]) throws {
        path = Self.freshPath(in: FileManager.default.temporaryDirectory.path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    /// A path that nothing has. All are of one length wherever temporary files are, in `/tmp` if the name of that place is long:
    /// messages cut off what they quote after 80 characters, and would show less of what is in the folder.
    static func freshPath(in place: String) -> String {
        let start = (place.utf8.count > 24 ? "/tmp" : place) + "/scenario-"
        return start + UUID().uuidString.prefix(50 - start.utf8.count)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of what is in it, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// The path of something inside, whether or not it is there.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// The text of a file; `nil` where there is none.
    subscript(name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

    /// The bytes of a file; `nil` where there is none.
    func bytes(of name: String) -> [UInt8]? { (try? Data(contentsOf: URL(filePath: path(name)))).map(Array.init) }

    /// Writes a file, making the folders on its way, and gives its path; a name that ends with a slash is a folder.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

    /// Writes a file of any bytes, making the folders on its way, and gives its path.
    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let url = URL(filePath: path(name))
        let folder = name.hasSuffix("/") ? url : url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if folder != url { try Data(Array(bytes)).write(to: url) }
        return path(name)
    }

    /// Removes a file.
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// A text with the path of the folder left out, so that it is the same in every run.
    func relative(_ text: String) -> String { text.replacing(path + "/", with: "") }
}
