import CLibrary

/// A pipe that hands out bytes in given pieces: each read gets one.
final class SplitPipe {
    /// A path that opens it for reading.
    var path: String { "/dev/fd/\(descriptor)" }
    private let descriptor: Int32

    private struct Failure: Error {}

    #if arch(arm64)
        private static let packets: Int32 = 0o200000
    #else
        private static let packets: Int32 = 0o40000
    #endif
    private static let capacity: Int32 = 1 << 20
    private static let setSize: Int32 = 1031
    private static let pieceLimit = 250

    /// Fills a pipe.
    ///
    /// - Parameters:
    ///   - bytes: Everything that can be read; at most some kilobytes.
    ///   - cuts: The ends of the pieces; a piece that would be empty is left out.
    init(_ bytes: [UInt8], cuts: [Int]) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure() }
        descriptor = ends[0]
        // A piece that is written at once is then read at once.
        _ = fcntl(ends[1], F_SETFL, Self.packets)
        _ = fcntl(ends[1], Self.setSize, Self.capacity)
        defer { close(ends[1]) }
        var start = 0
        for end in cuts + [bytes.count] where end > start {
            let piece = Array(bytes[start..<end])
            guard unsafe write(ends[1], piece, piece.count) == piece.count else { throw Failure() }
            start = end
        }
    }

    /// Cuts into pieces of one length, or longer ones where there would be too many.
    convenience init(_ bytes: [UInt8], every length: Int) throws {
        let step = max(length, bytes.count / Self.pieceLimit + 1)
        try self.init(bytes, cuts: Array(stride(from: step, to: bytes.count, by: step)))
    }

    deinit { close(descriptor) }
}
