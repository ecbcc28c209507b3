import FoundationEssentials

/// A decision as a scenario or a replay writes it.
struct WrittenDecision: Decodable, Equatable {
    let index: Int
    let time, device, verdict, policy: String
    let rejections, flags: [String]
    let annotations: [String]?
    let filters: [String]
    let lifetime: Int
    let expires: String
    let arc: String?

    /// Reads the lines of a file of decisions.
    static func read(_ bytes: [UInt8]) throws -> [WrittenDecision] {
        try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(WrittenDecision.self, from: Data(line))
        }
    }
}
