import Foundation
import Testing

/// A JSON document: its values, and the keys of its objects in their order.
struct JSONText {
    private let root: [String: Any]
    /// For each object, in the order of their beginnings, its keys.
    let keys: [[String]]

    init(_ text: String) throws {
        root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        keys = Self.keys(of: text)
    }

    /// The value at a path of keys.
    subscript(path: String...) -> Any? { value(path) }

    /// The whole number at a path of keys.
    func integer(_ path: String...) -> Int? { value(path) as? Int }

    private func value(_ path: [String]) -> Any? {
        path.reduce(root as Any?) { ($0 as? [String: Any])?[$1] }
    }

    private static func keys(of text: String) -> [[String]] {
        var (keys, open, latest) = ([[String]](), [Int](), "")
        var scanner = text[...]
        while let character = scanner.popFirst() {
            switch character {
            case "{":
                open.append(keys.count)
                keys.append([])
            case "}": open.removeLast()
            case "\"": latest = string(&scanner)
            case ":": keys[open[open.count - 1]].append(latest)
            default: break
            }
        }
        return keys
    }

    // The rest of a string up to its quote; escapes stay as they are.
    private static func string(_ scanner: inout Substring) -> String {
        var text = ""
        while let character = scanner.popFirst(), character != "\"" {
            text.append(character)
            if character == "\\", let next = scanner.popFirst() { text.append(next) }
        }
        return text
    }
}
