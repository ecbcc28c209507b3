internal import Documents
internal import Foundation

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// Reads a report by the rules of its form, and by nothing of the code that wrote it.
struct FormCheck {
    private let form: String
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - form: The form by its name, as `--format` has it.
    ///   - bytes: The report.
    init(_ form: String, _ bytes: [UInt8]) {
        (self.form, self.bytes) = (form, bytes)
    }

    /// The problems; empty if there are none.
    func problems() -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return ["it is not UTF-8"] }
        var problems: [String] = []
        // The output of commands keeps its tabs, and lines of CSV end as RFC 4180 has it.
        let acting = text.unicodeScalars.first {
            $0.isControlling && $0 != "\n" && $0 != "\t" && !(form.hasPrefix("csv") && $0 == "\r")
        }
        if let acting { problems.append("U+\(String(acting.value, radix: 16)) is in it") }
        switch form {
        case "json", "sarif":
            if (try? JSONSerialization.jsonObject(with: Data(bytes))) == nil { problems.append("it is no JSON") }
        case "html": problems += Self.page(text)
        case "junit":
            if !XMLParser(data: Data(bytes)).parse() { problems.append("it is no XML") }
        case "tap": problems += Self.tap(text)
        case "csv", "csv-long": problems += Self.table(bytes)
        case "openmetrics": problems += Self.metrics(text)
        case "github":
            if text.utf8.split(separator: 0x0A).contains(where: { !$0.starts(with: Array("::".utf8)) }) {
                problems.append("a line is no command")
            }
        default: break
        }
        return problems
    }

    // MARK: HTML

    // The values of an attribute, by its name and the characters before the value.
    private static func values(of attribute: String, in text: String) -> [String] {
        text.components(separatedBy: " \(attribute)").dropFirst().map { rest in
            String(rest.prefix { $0 != "\"" })
        }
    }

    private static func page(_ text: String) -> [String] {
        let ids = values(of: "id=\"", in: text)
        let missing = Set(values(of: "href=\"#", in: text)).subtracting(ids)
        return (Set(ids).count == ids.count ? [] : ["two parts have one name"])
            + missing.sorted().map { "nothing is called \($0)" }
            + (text.contains("<script") ? ["it has a script"] : [])
    }

    // MARK: TAP

    private static func tap(_ text: String) -> [String] {
        let lines = text.utf8.split(separator: 0x0A).map { String(decoding: Array($0), as: UTF8.self) }
        let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
        let plan = lines.first { $0.hasPrefix("1..") }?.dropFirst(3)
        var problems = plan.flatMap { Int($0) } == points.count ? [] : ["the plan has another number of points"]
        for point in points {
            let scalars = Array(point.unicodeScalars)
            for (index, scalar) in scalars.enumerated() where scalar == "#" {
                let escapes = scalars[..<index].reversed().prefix { $0 == "\\" }.count
                if escapes % 2 == 0 { problems.append("a point has a directive") }
            }
        }
        return problems
    }

    // MARK: CSV (RFC 4180)

    private static func table(_ bytes: [UInt8]) -> [String] {
        let (quote, comma, end) = (UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"))
        var (widths, width, isOpen): ([Int], Int, Bool) = ([], 1, false)
        for byte in bytes {
            if byte == quote { isOpen.toggle() }
            if isOpen { continue }
            if byte == comma { width += 1 }
            if byte == end {
                widths.append(width)
                width = 1
            }
        }
        return (isOpen ? ["a quote is not closed"] : [])
            + (Set(widths).count <= 1 ? [] : ["rows differ in their fields"])
    }

    // MARK: OpenMetrics

    private static func metrics(_ text: String) -> [String] {
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: Array($0), as: UTF8.self)
        }
        guard lines.popLast() == "", lines.popLast() == "# EOF" else { return ["it does not end with EOF"] }
        return lines.filter { !$0.hasPrefix("# ") && !isSample($0) }.map { "no sample: \($0.prefix(80))" }
    }

    // A name, labels in braces if there are some, and a value behind a space.
    private static func isSample(_ line: String) -> Bool {
        var (scalars, isOpen, isEscaped) = (line.unicodeScalars[...], false, false)
        let name = scalars.prefix { $0.properties.isAlphabetic && $0.isASCII || $0 == "_" || "0"..."9" ~= $0 }
        scalars = scalars.dropFirst(name.count)
        if scalars.first == "{" {
            while let scalar = scalars.popFirst() {
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else if scalar == "\"" {
                    isOpen.toggle()
                } else if scalar == "}", !isOpen {
                    break
                }
            }
        }
        let words = String(scalars).split(separator: " ")
        return !name.isEmpty && !isOpen && scalars.first == " " && words.allSatisfy { Double($0) != nil }
            && !words.isEmpty
    }
}
