import Foundation
import Testing

@testable import Accounts
@testable import TestSupport

/// Command lines are split as a shell would split them.
@Suite struct CommandWordsTests {
    @Test(arguments: CaseFile.all(in: "Tables/words", ending: "command-words.txt")) func splits(_ file: CaseFile) throws
    {
        try file.expectActual { example in
            try TextCase.lines(example) { line in
                let words = try CommandWords.split(TextCase.text(of: line))
                let texts = try words.map { word in
                    let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .withoutEscapingSlashes]
                    let json = try JSONSerialization.data(withJSONObject: word, options: options)
                    return String(decoding: json, as: UTF8.self)
                }
                return "[\(texts.joined(separator: ", "))]"
            }
        }
    }
}
