package import Columns

/// Why a capture could not be read at all; what is wrong with single records is a ``RecordProblem``.
package enum CaptureFailure: Error, Hashable, Sendable {
    /// The file cannot be opened or read.
    case unreadable(path: String, reason: String)
    /// Somebody cut the file while it was read: it ended before the length that it had.
    case cut(path: String, found: Int, length: Int)
    /// It is a pipe or a device.
    case notRegular(path: String)
    /// The compressed data is damaged.
    case damaged(path: String, format: String)
    /// A record continues for longer than ``CaptureLimits/recordBytes``.
    case recordTooLong(path: String, line: Int)
    /// Neither records of device information, nor fetches, nor JSON Lines, nor columns; perhaps a form that can be made one.
    case unknownFormat(path: String, likely: OtherForm?)
    /// Its columns cannot be read.
    case columns(path: String, ColumnFailure)
    /// A column has another form than a capture needs.
    case wrongColumn(path: String, message: String, hint: String)
    /// It is a part of split captures that cannot be read, or not together with others.
    case wrongPart(path: String, message: String, hint: String?)
    /// It was read before, and cannot be read once more.
    case notAgain(path: String, reason: String)
    /// There is nothing in it.
    case empty(path: String)
    /// A capture of fetches where one of attestations is needed, or the other way round.
    case wrongKind(path: String, found: CaptureFormat)
}

extension CaptureFailure {
    /// The same failure, a number of lines further down.
    package func moved(by lines: Int) -> CaptureFailure {
        if case .recordTooLong(let path, let line) = self {
            .recordTooLong(path: path, line: line + lines)
        } else {
            self
        }
    }
}
