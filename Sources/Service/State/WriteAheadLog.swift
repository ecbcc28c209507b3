/// The log of the changes that SQLite has not yet moved into the file of a state: `FILE-wal`.
///
/// SQLite takes no notice of damage there, nor of all that is behind it; so somebody has to look before it does. The log of
/// a state is never written over (``StateFile`` empties it instead), and each part that is there whole has to be valid:
/// only a part that a kill cut off may not be, and no client got an answer for that.
enum WriteAheadLog {
    // SQLite, File Format, 4: a header, and frames that have a header and a page each.
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24
    private static let magic: [UInt32] = [0x377F_0682, 0x377F_0683]

    /// True if every frame that is there whole is as SQLite wrote it.
    ///
    /// - Parameter read: Gives the next bytes of the file, as many as are asked for, and fewer at its end.
    /// - Complexity: O(length).
    static func isSound(_ read: (Int) -> [UInt8]) -> Bool {
        let header = read(headerBytes)
        guard header.count == headerBytes else { return true }
        let (first, pageBytes) = (word(header, 0), Int(word(header, 8)))
        guard magic.contains(first), pageBytes >= 512, pageBytes <= 65_536, pageBytes & (pageBytes - 1) == 0 else {
            return false
        }
        var sum = Sum(isBigEndian: first & 1 == 1)
        sum.add(header[..<24])
        guard sum.isStored(in: header, at: 24) else { return false }
        while true {
            let frame = read(frameHeaderBytes + pageBytes)
            guard frame.count == frameHeaderBytes + pageBytes else { return true }
            sum.add(frame[..<8])
            sum.add(frame[frameHeaderBytes...])
            guard frame[8..<16] == header[16..<24], sum.isStored(in: frame, at: 16) else { return false }
        }
    }

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    // Continues from frame to frame.
    private struct Sum {
        let isBigEndian: Bool
        private var (first, second): (UInt32, UInt32) = (0, 0)

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            var start = bytes.startIndex
            while start + 8 <= bytes.endIndex {
                first = first &+ word(bytes, start) &+ second
                second = second &+ word(bytes, start + 4) &+ first
                start += 8
            }
        }

        private func word(_ bytes: ArraySlice<UInt8>, _ start: Int) -> UInt32 {
            let parts = (0..<4).map { UInt32(bytes[start + (isBigEndian ? $0 : 3 - $0)]) }
            return parts.reduce(0) { $0 << 8 | $1 }
        }

        func isStored(in bytes: [UInt8], at start: Int) -> Bool {
            (first, second) == (WriteAheadLog.word(bytes, start), WriteAheadLog.word(bytes, start + 4))
        }
    }
}
