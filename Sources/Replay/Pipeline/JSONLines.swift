package import Documents

/// A file of JSON Lines that is no capture.
package enum JSONLines {
    /// Reads a file line by line; blank lines are left out.
    ///
    /// - Parameters:
    ///   - path: The file, plain or compressed; `-` is standard input.
    ///   - diagnostics: Gets the reason if the file cannot be read.
    ///   - body: Takes the number of each line, counted from 1, and its bytes.
    package static func read(path: String, diagnostics: inout Diagnostics, _ body: (Int, [UInt8]) -> Void) {
        do throws(CaptureFailure) {
            var reader = LineReader(try CaptureFile(path: path, format: .jsonl))
            while let (line, bytes) = try reader.next({ span, range in range.map { span[$0] } }) { body(line, bytes) }
        } catch {
            diagnostics.add(ReplayFailure.capture(error).diagnostic)
        }
    }
}
