internal import Documents
internal import PolicyEngine
internal import Scenarios

/// Writes which changes of accounts are noticed as JSON.
enum JSONMutants {
    /// `{"noticed":n,"effective":n,"idle":n,"unnoticed":[{"account-file":…,"account":…,"change":…,"file":…,"line":n,…}]}`.
    static func value(of report: MutationReport) -> JSONValue {
        .sorted([
            "noticed": .integer(report.noticed), "effective": .integer(report.effective),
            "idle": .integer(report.idle),
            "unnoticed": .array(
                report.unnoticed.map { mutant, gap in
                    .sorted([
                        "account-file": .string(mutant.file), "account": .string(mutant.account),
                        "change": .string(mutant.change), "file": .string(gap.file),
                        "line": .integer(gap.position.line), "column": .integer(gap.position.column),
                        "difference": .string(gap.difference),
                    ])
                }),
        ])
    }
}
