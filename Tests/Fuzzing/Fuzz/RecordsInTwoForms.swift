internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Records that are written as device information and as JSON Lines, and replayed from both.
///
/// Records are paragraphs of the bytes: a device ID and a time, and then lines `key=value`.
struct RecordsInTwoForms {
    private var information = ""
    private var lines = ""

    /// Writes the records in both forms, and compares the decisions and the figures.
    static func feed(_ bytes: [UInt8]) {
        var forms = Self()
        let text = String(decoding: bytes, as: UTF8.self)
        for (number, paragraph) in text.split(separator: "\n\n").prefix(200).enumerated() {
            forms.add(paragraph.split(separator: "\n", omittingEmptySubsequences: true), escaped: number % 2 == 1)
        }
        let first = replayed(forms.information, .info)
        let second = replayed(forms.lines, .jsonl)
        DifferentialTarget.compare(first, second, ("device information", "JSON Lines"))
    }

    private mutating func add(_ paragraph: [Substring], escaped: Bool) {
        let words = paragraph.first?.split(separator: " ") ?? []
        guard words.count == 4, let offset = Self.offsets[words[3]] else { return }
        let head = words.map(Self.plain)
        information += "--- \(head.joined(separator: " ")) ---\n"
        var members = [("device-id", head[0]), ("time", "\(head[1])T\(head[2])\(offset)")]
        for line in paragraph.dropFirst() {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = Self.plain(parts[0])
            guard parts.count == 2, Self.isKey(key) else { continue }
            let value = Self.plain(parts[1])
            information += "\(key): \(value)\n"
            members.append((key, value))
        }
        let written = members.map { "\(Self.quoted($0.0, escaped: escaped)):\(Self.quoted($0.1, escaped: escaped))" }
        lines += "{\(written.joined(separator: ","))}\n"
    }

    // The offsets as a record may name them, each with its form in RFC 3339.
    private static let offsets: [Substring: String] = [
        "UTC": "Z", "GMT": "+00:00", "BST": "+01:00", "EST": "-05:00", "JST": "+09:00", "+05:30": "+05:30",
    ]

    // Keys that mean the same in both forms: in one the head says ID and time, and in the other `flags` are flags.
    private static func isKey(_ key: String) -> Bool {
        let letters = key.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D || (0x30...0x39).contains($0) }
        return letters && !key.isEmpty && !["device-id", "time", "captured", "flags"].contains(key)
    }

    // Characters that no line can hold are left out: control characters, and spaces around a value.
    private static func plain(_ text: Substring) -> String {
        let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        let kept = scalars.drop { $0 == " " }
        let end = kept.lastIndex { $0 != " " }.map(kept.index(after:)) ?? kept.startIndex
        return String(String.UnicodeScalarView(kept[kept.startIndex..<end]))
    }

    // As a text of JSON; `escaped` writes what is not ASCII as numbers.
    private static func quoted(_ text: String, escaped: Bool) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                written += "\\" + String(scalar)
            } else if escaped && !scalar.isASCII {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                written.unicodeScalars.append(scalar)
            }
        }
        return written + "\""
    }

    // The decisions, and after them the counts; nothing of lines, which differ.
    private static func replayed(_ text: String, _ format: CaptureFormat) -> String {
        FuzzFolder.write(Array(text.utf8), to: "capture")
        var request = ReplayRequest(captures: [FuzzFolder.path("capture")], account: account)
        request.format = format
        request.skipsMalformed = true
        request.sorts = true
        request.decisionsPath = FuzzFolder.path("decisions")
        request.blockBytes = 4096
        let summary = request.run()
        guard let figures = summary.figures else { return "refused" }
        let counts = figures.metrics.map { "\($0.key) \($0.value)" }.sorted()
        let decisions = FuzzFolder.read("decisions") ?? []
        return String(decoding: decisions, as: UTF8.self) + counts.joined(separator: "\n")
    }

    private static let account: Account = {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(bytes: Array(text.utf8), path: "a.yaml", as: .account)
        guard let account = AccountLoader.load(document, diagnostics: &diagnostics) else {
            preconditionFailure("\(diagnostics.all.map(\.rendered))")
        }
        return account
    }()

    // Something for every key that records usually have.
    private static let text = """
        policy: default,default,all
        sampling-percentage: 30
        flags: [{name: extra, risk: true}]
        filters:
          - {name: address, key: ip, match: 1.2.3.4, reject: true}
          - {name: network, key: ip, regex: '^10\\.', risky: true}
          - {name: phone, key: device, regex: 'Android 8|iPhone', ban: true}
          - {name: gold, key: user-property, match: "caf\\u00e9"}
          - {name: listed, key: flags-all, regex: 'rooted,(xposed|extra)'}
          - {name: new, key: appid, match: com.a, new-did-only: true}
          - {name: both, conjunction: [gold, network], exec-filtered-sec-policy: true}

        """
}
