internal import Analysis
internal import Documents
internal import PolicyEngine

/// Writes diagnostics as JSON on one line: `{"version":1,"errors":0,"warnings":1,"diagnostics":[…],"allowed":[…]}`.
enum JSONDiagnostics {
    /// The diagnostics as bytes, newline included; equal diagnostics give equal bytes.
    static func bytes(of diagnostics: Diagnostics, allowed: [AllowedFindings] = []) -> [UInt8] {
        columns.value(of: (diagnostics.all, allowed)).line
    }

    static let columns = Columns<(all: [Diagnostic], allowed: [AllowedFindings])>(inOrder: [
        .version, .field("errors", "The number of errors.") { $0.all.count { $0.severity == .error } },
        .field("warnings", "The number of warnings.") { $0.all.count { $0.severity == .warning } },
        .list("diagnostics", "The errors and warnings, in the order of files and lines.", diagnostic) { $0.all },
        .list("allowed", "Findings that comments allow.", allowed) { $0.allowed },
    ])

    private static let allowed = Columns<AllowedFindings>(inOrder: [
        .field("file", "The file with the comment.", \.file),
        .field("line", "The line of the comment, from 1.", \.allowance.position.line),
        .field("code", "The code of the findings that it allows.", \.allowance.code),
        .field("reason", "Why they are allowed.", \.allowance.reason),
        .list("diagnostics", "The findings that are allowed.", diagnostic, \.findings),
    ])

    private static let diagnostic = Columns<Diagnostic>(byName: [
        .word("severity", "Whether it is an error or a warning.", of: ["error", "warning"], \.severity.rawValue),
        .field("file", "The file.", \.file),
        .field("line", "The line, from 1; null where it is about no line.") { $0.position?.line ?? $0.line },
        .field("column", "The column, from 1; null where it is about no column.") { $0.position?.column },
        .field("message", "What is wrong.", \.message),
        .field("code", "The code of the check; null where there is none.", \.lintCode),
        .field("excerpt", "The line of the file; null where it is not shown.", \.excerpt),
        .field("hint", "What may help; null where nothing is known.", \.hint),
    ])
}
