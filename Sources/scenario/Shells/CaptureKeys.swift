internal import Documents
internal import PolicyEngine

/// The keys of attributes that a shell offers.
enum CaptureKeys {
    // The number of lines that are read of each capture.
    private static let lineLimit = 200

    /// The keys of the captures among some words, and those that the service collects, sorted.
    ///
    /// - Parameter words: Words of a command line; a word that is no plain capture gives no key.
    static func keys(in words: [String]) -> [String] {
        let captures = words.filter { word in [".jsonl", ".txt"].contains { word.hasSuffix($0) } }
        let found = captures.flatMap { path in ((try? TextFile.bytes(path: path)) ?? []).keys(upTo: lineLimit) }
        return Set(found + InformationKeys.all).sorted()
    }
}

extension [UInt8] {
    // The keys of records as JSON Lines, or as device information.
    fileprivate func keys(upTo limit: Int) -> [String] {
        split(separator: 0x0A, maxSplits: limit).prefix(limit).flatMap { line -> [String] in
            if line.first == UInt8(ascii: "{") {
                guard case .object(let members)? = try? JSONParser.parse(Array(line)) else { return [] }
                return members.map(\.name.text)
            }
            let key = line.prefix { $0 != UInt8(ascii: ":") }
            let isKey =
                key.count < line.count && !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D }
            return isKey ? [String(decoding: key, as: UTF8.self)] : []
        }
    }
}
