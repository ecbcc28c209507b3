internal import Columns

/// The bytes of a capture that has columns.
final class CapturedColumns: ColumnSource {
    /// The path of the capture, for failures.
    let path: String
    let length: Int?
    private let file: FileSource?
    private let stream: any ByteSource
    // Why the bytes could not be read.
    private var failure: CaptureFailure?

    /// - Parameter file: A regular file, of which any part can be read.
    init(_ file: FileSource) {
        (path, length, self.file, stream) = (file.path, file.length, file, file)
    }

    /// - Parameters:
    ///   - stream: Bytes that are read one after another.
    ///   - path: The path of their file.
    init(_ stream: any ByteSource, path: String) {
        (self.path, length, file, self.stream) = (path, nil, nil, stream)
    }

    func read(into bytes: inout [UInt8], range: Range<Int>, at offset: Int) throws(ColumnFailure) -> Int {
        do throws(CaptureFailure) {
            if let file { return try file.read(into: &bytes, range: range, at: offset) }
            var done = 0
            while done < range.count {
                let count = try stream.read(into: &bytes, range: range.lowerBound + done..<range.upperBound)
                if count == 0 { break }
                done += count
            }
            return done
        } catch {
            failure = error
            throw ColumnFailure("the input cannot be read", at: offset)
        }
    }

    /// Does something with the columns.
    ///
    /// - Throws: ``CaptureFailure``: why the bytes could not be read, or what is wrong with the columns.
    func attempt<Value>(_ body: () throws(ColumnFailure) -> Value) throws(CaptureFailure) -> Value {
        do throws(ColumnFailure) {
            return try body()
        } catch {
            throw failure ?? .columns(path: path, error)
        }
    }
}
