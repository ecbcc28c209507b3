import Analysis
import Foundation
import Testing

@testable import TestSupport

/// Changes that can turn no verdict, by the settings on which a verdict depends (R10).
@Suite struct IdleChangeTests {
    @Test(arguments: CaseFile.all(in: "Tables/patterns", ending: "idle-changes.txt")) func isKnown(_ file: CaseFile)
        throws
    {
        try file.expectActual { example in
            try TextCase.lines(example) { line in
                let accounts = try line.replacing("; ", with: "\n").components(separatedBy: " → ").map {
                    try AccountText.account($0 + "\n")
                }
                return IdleChange.isKnown(from: accounts[0], to: accounts[1]) ? "idle" : "may turn verdicts"
            }
        }
    }
}
