internal import Documents
package import PolicyEngine

/// A key by which records are grouped: an attribute, or a value that follows from one, such as `ip/16`.
package struct RecordKey: Hashable, Sendable {
    /// The key as it was typed.
    package let text: String
    /// The attribute that its values follow from; `time` for the time of the record.
    package let attribute: String
    /// The bits of an IPv4 address that its values have in common, if these are networks.
    let networkLength: Int?
    // Carried out one after another.
    private let steps: [Derivation]

    private enum Derivation: Hashable {
        case system, systemVersion, model, locale, country, major, hour, day
        case prefix(Int)
    }

    /// The key of an attribute as it is.
    package init(attribute: String) { self.init(attribute, of: attribute, []) }

    private init(_ text: String, of attribute: String, _ steps: [Derivation]) {
        (self.text, self.attribute, self.steps) = (text, attribute, steps)
        networkLength = if steps.count == 1, case .prefix(let length) = steps[0] { length } else { nil }
    }

    /// Reads a key. A text that is no derived key is the key of an attribute.
    ///
    /// - Throws: ``RecordKeyError`` for one that looks like a derived key and is none, such as `ip/99`.
    package init(_ text: String) throws(RecordKeyError) {
        if let named = Self.named[text] {
            self.init(text, of: named.attribute, [named.step])
        } else if text.hasSuffix(Self.majorSuffix) {
            let base = try RecordKey(String(text.dropLast(Self.majorSuffix.count)))
            guard !base.isTime, !base.isEmpty else { throw RecordKeyError(text) }
            self.init(text, of: base.attribute, base.steps + [.major])
        } else if text.hasPrefix("ip/") {
            guard let length = Int(text.dropFirst(3)), Self.prefixes.contains(length), "ip/\(length)" == text else {
                throw RecordKeyError(text)
            }
            self.init(text, of: "ip", [.prefix(length)])
        } else if text.hasPrefix("time/") || text.contains("~") {
            throw RecordKeyError(text)
        } else {
            self.init(attribute: text)
        }
    }

    private static let majorSuffix = "~major"
    private static let prefixes = 1...32

    private static let named: [String: (attribute: String, step: Derivation)] = [
        "os": ("device", .system), "os-version": ("device", .systemVersion), "model": ("device", .model),
        "locale": ("device", .locale), "country": ("device", .country), "time/hour": ("time", .hour),
        "time/day": ("time", .day),
    ]

    /// The derived keys, those with a part that can be chosen by an example.
    package static let derived = [
        "os", "os-version", "model", "locale", "country", "app-version~major", "ip/16", "time/hour", "time/day",
    ]

    /// The keys that may be meant by a word.
    package static let known = InformationKeys.all + derived

    /// True if nothing was typed.
    package var isEmpty: Bool { text.isEmpty }

    /// True if values follow from the time of a record, which is no attribute of every capture.
    package var isTime: Bool { attribute == "time" && !steps.isEmpty }

    /// True if values are not those of the attribute itself.
    package var isDerived: Bool { !steps.isEmpty }

    /// The value that follows from that of the attribute; `nil` if there is none, such as the country of `en`.
    ///
    /// - Complexity: O(length).
    package func value(of bytes: [UInt8]) -> [UInt8]? {
        var value: [UInt8]? = bytes
        for step in steps { value = value.flatMap { Self.carryOut(step, $0) } }
        return value
    }

    /// The value that follows from the time of a record, by UTC: `2020-07-23T08Z` or `2020-07-23`.
    package func value(at time: Instant) -> [UInt8] {
        let text = Array(time.description.utf8)
        return steps == [.day] ? Array(text.prefix(10)) : Array(text.prefix(13)) + [UInt8(ascii: "Z")]
    }

    private static func carryOut(_ step: Derivation, _ value: [UInt8]) -> [UInt8]? {
        switch step {
        case .system: DeviceWords(value).system
        case .systemVersion: DeviceWords(value).systemVersion
        case .model: DeviceWords(value).model
        case .locale: DeviceWords(value).locale
        case .country: DeviceWords(value).country
        case .major: major(value)
        case .prefix(let length): NetworkPrefix(value, length: length).map { Array($0.description.utf8) }
        case .hour, .day: nil
        }
    }

    // Up to the end of the first number: `5` of `5.1(117)`, and `Android 10` of `Android 10.0`.
    private static func major(_ value: [UInt8]) -> [UInt8]? {
        guard let start = value.firstIndex(where: \.isDigit) else { return nil }
        return Array(value[..<(value[start...].firstIndex { !$0.isDigit } ?? value.count)])
    }
}

/// Why a text is no key.
package struct RecordKeyError: Error, Hashable, Sendable {
    /// The error, in words.
    package let description: String
    /// The keys that there are.
    package let hint: String

    init(_ text: String) {
        description = "\(text.quoted) is not a key"
        let keys =
            "derived keys are os, os-version, model, locale, country, time/hour, time/day, ip/1 to ip/32, and KEY~major"
        hint = (Suggestion.hint(for: text, among: RecordKey.derived).map { $0 + " " } ?? "") + keys
    }
}

/// The parts of a `device` attribute: `Android 10, SM-G973F, samsung, beyond1lte, de`, or `iOS, 13.5.1, iPhone11,8, en_GB`.
private struct DeviceWords {
    private let isAndroid: Bool
    private let isKnown: Bool
    private let words: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8]) {
        let kind = OperatingSystem(deviceAttribute: bytes.span)
        (isAndroid, isKnown) = (kind == .android, kind != .unknown)
        var (words, start) = ([ArraySlice<UInt8>](), 0)
        // A model may have a comma, but no space behind it.
        for index in bytes.indices.dropLast()
        where bytes[index] == UInt8(ascii: ",") && bytes[index + 1] == UInt8(ascii: " ") {
            words.append(bytes[start..<index])
            start = index + 2
        }
        self.words = words + [bytes[start...]]
    }

    var system: [UInt8]? { isKnown ? Array((isAndroid ? "Android" : "iOS").utf8) : nil }

    var systemVersion: [UInt8]? {
        guard isKnown else { return nil }
        if isAndroid { return words[0].count > "Android ".utf8.count ? Array(words[0]) : nil }
        return word(1).map { Array("iOS ".utf8) + $0 }
    }

    var model: [UInt8]? { isKnown ? word(isAndroid ? 1 : 2) : nil }

    // The last part: letters, and parts behind `_` or `-`.
    var locale: [UInt8]? {
        guard isKnown, words.count >= 4, let last = word(words.count - 1) else { return nil }
        // In capital letters it is another word, such as a model.
        let language = last.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        guard (2...3).contains(language.count) else { return nil }
        return last.count == language.count || Self.isSign(last[language.count]) ? last : nil
    }

    // The region of a locale has two letters or three digits (BCP 47); what is between it and the language is a script.
    var country: [UInt8]? {
        guard let parts = locale?.split(whereSeparator: Self.isSign) else { return nil }
        return parts.dropFirst().first { part in
            part.count == 2 && part.allSatisfy(\.isLetter) || part.count == 3 && part.allSatisfy(\.isDigit)
        }.map(Array.init)
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") }

    private func word(_ index: Int) -> [UInt8]? {
        index < words.count && !words[index].isEmpty ? Array(words[index]) : nil
    }
}
