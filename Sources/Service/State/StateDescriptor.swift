internal import CLibrary
internal import Documents

/// A look at the file of a state before SQLite has it, so that a file of somebody else stays as it is (R23.5).
enum StateDescriptor {
    /// The program and the form of a file of SQLite.
    struct Mark: Hashable {
        /// The program, as a number of SQLite's header.
        let application: Int
        /// The form.
        let form: Int
    }

    /// Makes a file where there is none, and looks at one that is there.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mark: The mark that it must have, unless it is empty.
    /// - Throws: ``StateFailure``; the file is as it was then.
    static func check(path: String, mark: Mark) throws(StateFailure) {
        guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:") else { throw .badName(path) }
        let log = path + "-wal"
        guard try checkDatabase(path, mark) else {
            if try size(of: log) ?? 0 > 0 { throw .unsound("it is empty, and its log is not") }
            return
        }
        try withFile(log) { descriptor throws(StateFailure) in
            let isSound = WriteAheadLog.isSound { bytes(of: descriptor, count: $0) }
            if !isSound { throw .unsound("the last entry is not as it was written") }
        }
    }

    // True if there is anything in it.
    private static func checkDatabase(_ path: String, _ mark: Mark) throws(StateFailure) -> Bool {
        // Nobody else may read its content: keys of the account among others.
        // SAFETY: the path lives through the call.
        let new = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if new >= 0 {
            close(new)
            return false
        }
        guard errno == EEXIST else { throw .refused(systemReason) }
        var isEmpty = true
        try withFile(path) { descriptor throws(StateFailure) in
            let header = bytes(of: descriptor, count: headerBytes)
            isEmpty = header.isEmpty
            guard !isEmpty else { return }
            guard header.count == headerBytes, header.starts(with: magic) else { throw .noState }
            let found = Mark(application: number(header, 68), form: number(header, 60))
            guard found.application == mark.application else { throw .noState }
            guard found.form == mark.form else { throw .otherForm(found.form) }
        }
        return !isEmpty
    }

    // SQLite, File Format, 1.3: the numbers of the form and of the program are at 60 and 68.
    private static let headerBytes = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    private static func number(_ bytes: [UInt8], _ start: Int) -> Int {
        Int(Int32(truncatingIfNeeded: bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }))
    }

    // `nil` where there is no such file.
    private static func size(of path: String) throws(StateFailure) -> Int? {
        var size: Int?
        try withFile(path) { descriptor in size = SystemCall.status(of: descriptor).map { Int($0.st_size) } }
        return size
    }

    // Nothing where there is no such file.
    private static func withFile(
        _ path: String, _ body: (Int32) throws(StateFailure) -> Void
    ) throws(StateFailure) {
        // SAFETY: the path lives through the call. A pipe would be waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .refused(systemReason)
        }
        defer { close(descriptor) }
        guard let status = SystemCall.status(of: descriptor) else { throw .refused(systemReason) }
        guard status.isKind(S_IFREG) else { throw .noState }
        guard status.st_mode & 0o077 == 0 else { throw .readable(path) }
        try body(descriptor)
    }

    private static func bytes(of descriptor: Int32, count: Int) -> [UInt8] {
        var (bytes, filled) = ([UInt8](repeating: 0, count: count), 0)
        while filled < count {
            let found = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: no more is read than there is room for behind what is filled.
                unsafe read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
            }
            if found < 0, errno == EINTR { continue }
            guard found > 0 else { break }
            filled += found
        }
        return Array(bytes.prefix(filled))
    }

    private static var systemReason: String {
        // SAFETY: the text is the system's, and is copied at once.
        unsafe String(cString: strerror(errno))
    }
}

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
