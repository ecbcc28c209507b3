internal import Analysis
internal import Documents
internal import PolicyEngine

/// Writes diagnostics as JSON on one line: `{"version":1,"errors":0,"warnings":1,"diagnostics":[…],"allowed":[…]}`.
enum JSONDiagnostics {
    /// The diagnostics as bytes, newline included; equal diagnostics give equal bytes.
    static func bytes(of diagnostics: Diagnostics, allowed: [AllowedFindings] = []) -> [UInt8] {
        let all = diagnostics.all
        return JSONValue.ordered([
            ("version", .integer(1)), ("errors", .integer(all.count { $0.severity == .error })),
            ("warnings", .integer(all.count { $0.severity == .warning })), ("diagnostics", .array(all.map(value))),
            ("allowed", .array(allowed.map(value))),
        ]).line
    }

    private static func value(of allowed: AllowedFindings) -> JSONValue {
        .ordered([
            ("file", .string(allowed.file)), ("line", .integer(allowed.allowance.position.line)),
            ("code", .string(allowed.allowance.code)), ("reason", .string(allowed.allowance.reason)),
            ("diagnostics", .array(allowed.findings.map(value))),
        ])
    }

    private static func value(of diagnostic: Diagnostic) -> JSONValue {
        let line = diagnostic.position?.line ?? diagnostic.line
        return .sorted([
            "severity": .string(diagnostic.severity.rawValue), "file": .string(diagnostic.file),
            "line": line.map { .integer($0) } ?? .null,
            "column": diagnostic.position.map { .integer($0.column) } ?? .null,
            "message": .string(diagnostic.message), "code": diagnostic.lintCode.map { .string($0) } ?? .null,
            "excerpt": diagnostic.excerpt.map { .string($0) } ?? .null,
            "hint": diagnostic.hint.map { .string($0) } ?? .null,
        ])
    }
}
