internal import Analysis
internal import Documents
internal import PolicyEngine

/// Writes diagnostics as JSON on one line: `{"version":1,"errors":0,"warnings":1,"diagnostics":[…],"allowed":[…]}`.
enum JSONDiagnostics {
    /// The diagnostics as bytes, newline included; equal diagnostics give equal bytes.
    static func bytes(of diagnostics: Diagnostics, allowed: [AllowedFindings] = []) -> [UInt8] {
        form.value(of: (diagnostics.all, allowed)).line
    }

    static let form = ObjectForm<(all: [Diagnostic], allowed: [AllowedFindings])>(inOrder: [
        .version, .field("errors") { $0.all.count { $0.severity == .error } },
        .field("warnings") { $0.all.count { $0.severity == .warning } }, .list("diagnostics", diagnostic) { $0.all },
        .list("allowed", allowed) { $0.allowed },
    ])

    private static let allowed = ObjectForm<AllowedFindings>(inOrder: [
        .field("file", \.file), .field("line", \.allowance.position.line), .field("code", \.allowance.code),
        .field("reason", \.allowance.reason), .list("diagnostics", diagnostic, \.findings),
    ])

    private static let diagnostic = ObjectForm<Diagnostic>(byName: [
        .word("severity", of: ["error", "warning"], \.severity.rawValue), .field("file", \.file),
        .field("line") { $0.position?.line ?? $0.line }, .field("column") { $0.position?.column },
        .field("message", \.message), .field("code", \.lintCode), .field("excerpt", \.excerpt), .field("hint", \.hint),
    ])
}
