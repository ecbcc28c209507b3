internal import CLibrary

/// A mark that changes if a file is written, replaced or removed, made without reading it: the same on every system.
package struct FileStamp: Hashable, Sendable {
    private let size: Int64
    private let number: UInt64
    // When its content was written, which programs can set, and when anything about it changed, which they cannot.
    private let times: [Int]

    /// The stamp of a file; `nil` where there is none.
    package init?(of path: String) {
        guard let status = SystemCall.status(of: path) else { return nil }
        (size, number) = (Int64(status.st_size), UInt64(status.st_ino))
        times = [SystemCall.written(status), SystemCall.changed(status)].flatMap { [$0.0, $0.1] }
    }

    /// The stamps of some files, those that are there.
    package static func stamps(of paths: some Sequence<String>) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for path in paths { stamps[path] = FileStamp(of: path) }
        return stamps
    }
}
