internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// A filter whose regex matched values that it does not say.
package struct WideFilter: Sendable {
    package let name: String
    package let key: String
    package let regex: String
    /// All that it is found in.
    package let found: Values
    /// Values that continue before or after what it says; `nil` where none does.
    package let longer: Values?
    /// Values with another character where it has a dot; `nil` where none has.
    package let dotted: Values?

    /// Values of captures.
    package struct Values: Hashable, Sendable {
        package let count: Int
        /// The devices that showed one of them.
        package let devices: Int
        /// The one that most devices showed.
        package let example: String
    }

    /// Keys whose values have dots, whether or not a capture shows it.
    private static let dottedKeys = ["ip", "app-version", "sdk-version"]
    /// Attributes whose values are not written by people, or follow from the account.
    private static let otherKeys = ["device-id"] + InformationKeys.flags
    /// The number of attributes whose values are read at once.
    private static let keyLimit = 6

    /// The filters of a request's account that match more than they say, in their order.
    static func all(in request: ReplayRequest, _ progress: Progress) -> [WideFilter] {
        let searches = request.account.filters.compactMap { filter -> Search? in
            guard case .regex(let key, let pattern) = filter.test, !otherKeys.contains(key) else { return nil }
            return PatternReading(pattern.source).map { Search(name: filter.name, key: key, pattern, $0) }
        }
        let keys = searches.map(\.key).reduce(into: [String]()) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
        var found: [String: WideFilter] = [:]
        for start in stride(from: 0, to: keys.count, by: keyLimit) {
            let some = Array(keys[start..<min(start + keyLimit, keys.count)])
            let profile = CaptureProfile(
                request, keys: some.map { ProfileKey(RecordKey(attribute: $0)) }, progress: progress)
            guard let profiles = profile.profiles else { return [] }
            let shown = profiles.shownValues
            for search in searches {
                guard let number = some.firstIndex(of: search.key) else { continue }
                let values = shown.filter { $0.value.key == number }.map { (text: $0.value.text, devices: $0.devices) }
                found[search.name] = search.result(among: values) { chosen in
                    profiles.devices { $0.key == number && chosen.contains(ExactText($0.text)) }[number]
                }
            }
        }
        return searches.compactMap { found[$0.name] }
    }

    // A search of values by the regex of a filter, and by what it says.
    private struct Search {
        let name: String
        let key: String
        let regex: String
        private let reading: PatternReading
        private let pattern: Pattern
        private let whole: Pattern?
        private let literal: Pattern?
        // No digit continues it where it ends with one, and so at the start.
        private let bounded: Pattern?
        private let matcher = PatternMatcher()

        init(name: String, key: String, _ pattern: Pattern, _ reading: PatternReading) {
            (self.name, self.key, regex) = (name, key, pattern.source)
            (self.pattern, self.reading) = (pattern, reading)
            whole = try? Pattern(#"\A(?:\#(pattern.source))\z"#)
            literal = reading.withoutWildDots.flatMap { try? Pattern($0) }
            bounded = reading.withBoundedNumbers.flatMap { try? Pattern($0) }
        }

        func result(
            among values: [(text: String, devices: Int)], devices: (Set<ExactText>) -> Int
        ) -> WideFilter? {
            typealias Shown = (text: String, devices: Int)
            func finds(_ pattern: Pattern?, _ value: Shown) -> Bool {
                pattern.map { matcher.isFound($0, in: value.text) == true } ?? false
            }
            func counted(_ some: [Shown]) -> Values? {
                let order = { (left: Shown, right: Shown) in
                    left.devices == right.devices
                        ? ExactText(left.text) < ExactText(right.text) : left.devices > right.devices
                }
                guard let first = some.min(by: order) else { return nil }
                return Values(
                    count: some.count, devices: devices(Set(some.map { ExactText($0.text) })), example: first.text)
            }
            let found = values.filter { finds(pattern, $0) }
            var longer = found.filter { !finds(whole, $0) }
            // The start of a value, or its end, is what many filters mean.
            if !reading.isOpen(whole: longer.count < found.count) {
                longer = bounded == nil ? [] : found.filter { !finds(bounded, $0) }
            }
            let dotted = literal == nil ? [] : found.filter { !finds(literal, $0) }
            let hasDots = dotted.count < found.count || WideFilter.dottedKeys.contains(key)
            guard let all = counted(found) else { return nil }
            let wide = WideFilter(
                name: name, key: key, regex: regex, found: all, longer: counted(longer),
                dotted: hasDots ? counted(dotted) : nil)
            return wide.longer == nil && wide.dotted == nil ? nil : wide
        }
    }
}

/// The ends and the dots of a regex, as people read it.
struct PatternReading {
    private var isStartSaid = false
    private var isEndSaid = false
    /// The regex whose dots stand for dots, where they are beside other text and are not repeated; `nil` without such dots.
    private(set) var withoutWildDots: String?
    /// The regex that no digit follows, or comes before, where it ends or begins with one and the value may
    /// continue; `nil` elsewhere.
    private(set) var withBoundedNumbers: String?

    /// - Returns: `nil` for a regex with options, look-around or other constructs that people do not read at a glance.
    init?(_ source: String) {
        let all = Array(source.unicodeScalars)
        var (index, text, isInClass, hasDots) = (0, "", false, false)
        while index < all.count {
            let (scalar, next) = (all[index], index + 1 < all.count ? all[index + 1] : nil)
            switch scalar {
            case "\\":
                guard let next, !"QEKG".unicodeScalars.contains(next) else { return nil }
                if !isInClass { noteEscape(next) }
                text.unicodeScalars.append(contentsOf: [scalar, next])
                index += 2
                continue
            case "[" where !isInClass: isInClass = true
            case "]" where isInClass: isInClass = false
            case "(" where !isInClass && next == "?":
                guard index + 2 < all.count, all[index + 2] == ":" else { return nil }
            case "^" where !isInClass: isStartSaid = true
            case "$" where !isInClass: isEndSaid = true
            case "." where !isInClass:
                let isRepeated = next.map { "*+?{".unicodeScalars.contains($0) } ?? false
                if isRepeated {
                    if index == 0 { isStartSaid = true }
                    if index + 2 >= all.count { isEndSaid = true }
                } else if Self.isPlain(next) || index > 0 && Self.isPlain(all[index - 1]) {
                    hasDots = true
                    text += "\\"
                }
            default: break
            }
            text.unicodeScalars.append(scalar)
            index += 1
        }
        withoutWildDots = hasDots ? text : nil
        withBoundedNumbers = boundingNumbers(of: source)
    }

    private func boundingNumbers(of source: String) -> String? {
        let (first, last) = (source.utf8.first?.isDigit == true, source.utf8.last?.isDigit == true)
        guard !isStartSaid && first || !isEndSaid && last else { return nil }
        return (!isStartSaid && first ? "(?<![0-9])" : "") + "(?:\(source))" + (!isEndSaid && last ? "(?![0-9])" : "")
    }

    private mutating func noteEscape(_ scalar: Unicode.Scalar) {
        if "AbB".unicodeScalars.contains(scalar) { isStartSaid = true }
        if "zZbB".unicodeScalars.contains(scalar) { isEndSaid = true }
    }

    private static func isPlain(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false
    }

    /// True if a value that continues is more than it says: neither end is said, or one is not and whole values are found.
    func isOpen(whole isWholeFound: Bool) -> Bool {
        isStartSaid || isEndSaid ? !(isStartSaid && isEndSaid) && isWholeFound : true
    }
}
