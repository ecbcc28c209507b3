#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A folder of this process among the system's temporary ones, which goes when the process ends.
enum FuzzFolder {
    private static let folder = {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/fuzz-XXXXXX").utf8CString)
        // SAFETY: the array is a string that ends with a zero, and is written within its length.
        guard let made = unsafe mkdtemp(&template).map({ unsafe String(cString: $0) }) else {
            preconditionFailure("no temporary folder beneath \(parent)")
        }
        atexit { FuzzFolder.remove() }
        return made + "/"
    }()

    // Everything that is written, by name.
    private static let names = ["capture", "decisions", "fetches", "a.keys", "state", "state-wal", "state-shm"]

    /// The path of a file in it.
    static func path(_ name: String) -> String { folder + name }

    /// Writes a file.
    static func write(_ bytes: [UInt8], to name: String) {
        guard let file = unsafe fopen(folder + name, "wb") else { return }
        // SAFETY: `bytes.count` bytes of the array are read.
        unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }

    /// The bytes of a file; `nil` where there is none.
    static func read(_ name: String) -> [UInt8]? {
        guard let file = unsafe fopen(folder + name, "rb") else { return nil }
        defer { unsafe fclose(file) }
        var (bytes, piece): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65_536))
        while true {
            // SAFETY: at most `piece.count` bytes of the array are written.
            let count = unsafe fread(&piece, 1, piece.count, file)
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
        }
    }

    /// Removes a file, if there is one.
    static func remove(_ name: String) { unsafe unlink(folder + name) }

    private static func remove() {
        for name in names { remove(name) }
        unsafe rmdir(folder)
    }
}
