internal import Columns
package import Documents
package import PolicyEngine

/// Why a replay ended before its input did.
package enum ReplayFailure: Error {
    case capture(CaptureFailure)
    case output(path: String, FileFailure)
    /// A capture of fetches, and an option that takes attestations.
    case nothingToEvaluate(path: String, option: String)
    case token(TokenIssueError)
    /// A capture that the work of the replay cannot take.
    case refused(Diagnostic)
    /// Searches for a filter's pattern reach their limit on too many values (R7.2).
    case limit(SearchExcess)
    /// The time that it may take is over (``ReplayRequest/deadline``).
    case late

    /// Runs something that reads a capture.
    static func wrapping<Value>(_ body: () throws(CaptureFailure) -> Value) throws(ReplayFailure) -> Value {
        do throws(CaptureFailure) {
            return try body()
        } catch {
            throw .capture(error)
        }
    }

    /// Runs something that writes a file.
    static func wrapping<Value: ~Copyable>(
        output path: String, _ body: () throws(FileFailure) -> Value
    ) throws(ReplayFailure) -> Value {
        do throws(FileFailure) { return try body() } catch { throw .output(path: path, error) }
    }

    /// True if the failure is about what is written, and not about what is read.
    var isOfOutput: Bool {
        switch self {
        case .output, .token: true
        case .capture, .nothingToEvaluate, .refused, .limit, .late: false
        }
    }

    /// The same for people.
    package var diagnostic: Diagnostic {
        switch self {
        case .capture(let failure): failure.diagnostic
        case .output(let path, let failure): Diagnostic(file: path, message: failure.description)
        case .nothingToEvaluate(let path, let option):
            Diagnostic(
                file: path,
                message: "a capture of fetches has no attestations, so \(option.quoted) would have no effect",
                hint: "`--fetches` takes it, to weigh a capture of attestations")
        case .token(let error): Diagnostic(file: "--tokens", message: error.description)
        case .refused(let diagnostic): diagnostic
        case .limit(let excess): excess.diagnostic
        case .late: Diagnostic(file: "--timeout", message: "the time limit was reached")
        }
    }
}

extension CaptureFailure {
    /// The failure for people.
    fileprivate var diagnostic: Diagnostic {
        switch self {
        case .unreadable(let path, let reason): Diagnostic(file: path, message: reason)
        case .cut(let path, let found, let length):
            Diagnostic(
                file: path,
                message: "the file became shorter while it was read: it had \(length.grouped) bytes, and ended behind "
                    + found.grouped,
                hint: "copy a capture that is still being written, and give the copy")
        case .notRegular(let path):
            Diagnostic(file: path, message: "no regular file", hint: "`-` reads a pipe, as standard input")
        case .damaged(let path, let format): Diagnostic(file: path, message: "the \(format) data is damaged or cut")
        case .recordTooLong(let path, let line):
            Diagnostic(
                file: path, line: line,
                message: "record of more than \(CaptureLimits.recordBytes / (1024 * 1024)) MiB")
        case .unknownFormat(let path, let likely):
            Diagnostic(
                file: path,
                message: likely?.message
                    ?? "neither device information, nor fetches, nor JSON Lines, nor columns of Arrow",
                hint: likely?.hint ?? "--input-format names the form if the content does not show it")
        case .columns(let path, let failure):
            Diagnostic(file: path, message: failure.description, hint: failure.hint)
        case .wrongColumn(let path, let message, let hint): Diagnostic(file: path, message: message, hint: hint)
        case .wrongPart(let path, let message, let hint): Diagnostic(file: path, message: message, hint: hint)
        case .notAgain(let path, let reason):
            Diagnostic(
                file: path, message: "the capture cannot be read once more: \(reason)",
                hint: "start again, and leave captures as they are meanwhile")
        case .empty(let path): Diagnostic(file: path, message: "the capture is empty")
        case .wrongKind(let path, let found):
            found == .fetches
                ? Diagnostic(
                    file: path, message: "a capture of fetches among captures of attestations",
                    hint: "--fetches takes it, to weigh the others")
                : Diagnostic(file: path, message: "not a capture of fetches")
        }
    }
}
