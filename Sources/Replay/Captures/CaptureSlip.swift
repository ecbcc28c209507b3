internal import PolicyEngine

/// Something in a record that can be read and was hardly meant: read as it stands, it weakens what the record says.
struct CaptureSlip: Sendable {
    let kind: Kind
    /// The first line of the first record that has it, counted from 1 at the start of its block.
    let line: Int
    /// How many records have it.
    var records = 0

    enum Kind: Hashable, Sendable {
        /// A key that nobody knows, and that differs from a known one by case or separators only.
        case key(ExactText, meant: String)
        /// A list of flags with semicolons: one flag of a strange name, which no policy rejects.
        case semicolons
        /// No list of flags, whatever its name.
        case noFlags
    }
}

/// The slips of some records: each kind once, in the order of the first record that has it.
struct CaptureSlips: Sendable {
    private(set) var all: [CaptureSlip] = []
    private var places: [CaptureSlip.Kind: Int] = [:]

    /// Notes a slip of one record.
    mutating func note(_ kind: CaptureSlip.Kind, line: Int) {
        let place = places[kind] ?? all.count
        if place == all.count {
            places[kind] = place
            all.append(CaptureSlip(kind: kind, line: line))
        }
        all[place].records += 1
    }

    /// Forgets them, and keeps the memory.
    mutating func clear() {
        guard !all.isEmpty else { return }
        all.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }
}

/// Known keys by what is left of them without case and separators.
struct KeyLikeness: Sendable {
    private var known: [[UInt8]: String] = [:]

    /// - Parameter names: Keys that somebody needs, beside those of the service.
    init(_ names: [String]) {
        for name in InformationKeys.all + names {
            let core = Self.core(Array(name.utf8))
            if known[core] == nil { known[core] = name }
        }
    }

    /// The known key that a text looks like, unless it is one.
    func key(lookingLike text: String) -> String? {
        guard let meant = known[Self.core(Array(text.utf8))], ExactText(meant) != ExactText(text),
            !InformationKeys.all.contains(where: { ExactText($0) == ExactText(text) })
        else { return nil }
        return meant
    }

    private static func core(_ bytes: [UInt8]) -> [UInt8] {
        bytes.compactMap { byte in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            default: byte
            }
        }
    }
}
