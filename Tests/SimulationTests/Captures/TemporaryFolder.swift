import FoundationEssentials

/// A folder for the files of one test; it goes away with the value.
final class TemporaryFolder {
    private let url: URL

    init() throws {
        let name = "simulation-tests-\(UUID().uuidString)"
        url = FileManager.default.temporaryDirectory.appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of the files in it, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// The path of a file, whether or not it is there.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and gives its path.
    func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        try Data(Array(bytes)).write(to: url.appending(path: name))
        return path(name)
    }

    /// The bytes of a file; `nil` when there is none.
    func bytes(of name: String) -> [UInt8]? {
        (try? Data(contentsOf: url.appending(path: name))).map(Array.init)
    }
}
