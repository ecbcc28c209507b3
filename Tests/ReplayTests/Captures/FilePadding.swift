#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Makes a file longer with zeros that take no room.
struct FilePadding {
    private let path: String

    private struct Failure: Error {}

    init(path: String) {
        self.path = path
    }

    /// Extends the file to a length in bytes.
    func extend(to length: Int) throws {
        guard unsafe truncate(path, length) == 0 else { throw Failure() }
    }
}
