import Foundation

/// A decision as a replay writes it.
struct DecisionLine: Decodable, Hashable {
    let device: String
    let verdict: String
    let policy: String
    let rejections: [String]
    let flags: [String]
    let annotations: [String]?
    let filters: [String]
    let lifetime: Int

    var passed: Bool { verdict == "pass" }

    /// Reads lines.
    static func read(_ lines: [String]) throws -> [DecisionLine] {
        try lines.map { try JSONDecoder().decode(DecisionLine.self, from: Data($0.utf8)) }
    }
}
