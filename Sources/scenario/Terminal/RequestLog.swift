internal import Documents
internal import HTTP
internal import PolicyEngine

/// The file to which a service adds a line for each request.
final class RequestLog: Sendable {
    private let file: LogFile

    /// Opens the file, which is made if it is not there; `-` is standard output.
    init(path: String) throws(FileFailure) {
        file = try LogFile(path: path)
    }

    /// Adds a request: headers, parameters and bodies are left out, since they hold keys and tokens.
    func note(_ request: HTTPRequest, _ answer: HTTPAnswer, at time: Instant) {
        file.add(
            JSONValue.ordered([
                ("time", .string("\(time)")), ("method", .string(request.method)), ("path", .string(request.path)),
                ("status", .integer(answer.status)),
            ]).line)
    }
}
