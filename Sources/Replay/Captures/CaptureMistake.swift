internal import PolicyEngine

/// A probable mistake in a record that can be read: read as it is, it weakens what the record says.
struct CaptureMistake: Sendable {
    let kind: Kind
    /// The first line of the first record that has it, counted from 1 at the start of its block.
    let line: Int
    /// The number of records that have it.
    var records = 0

    enum Kind: Hashable, Sendable {
        /// A key that nobody knows, and that differs from a known one by case or separators only.
        case key(ExactText, meant: String)
        /// No list of flags, whatever its name.
        case noFlags
        /// All that a record before it has.
        case repeated

        /// A key, and the one that it looks like.
        var key: (name: String, meant: String)? {
            if case .key(let name, let meant) = self { (name.text, meant) } else { nil }
        }

        /// Advice on a record without a key, where this is one that looks like it.
        func hint(onMissing missing: String) -> String? {
            key.flatMap { name, meant in
                meant == missing ? "`\(name)` is written `\(meant)`; `--rename \(name)=\(meant)` reads it" : nil
            }
        }
    }
}

/// The mistakes in some records: each kind once, in the order of the first record that has it.
struct CaptureMistakes: Sendable {
    private(set) var all: [CaptureMistake] = []
    private var kinds = Numbering<CaptureMistake.Kind>()

    /// Notes a mistake in one record.
    mutating func note(_ kind: CaptureMistake.Kind, line: Int) {
        let index = kinds.number(of: kind)
        if index == all.count { all.append(CaptureMistake(kind: kind, line: line)) }
        all[index].records += 1
    }

    /// Forgets them, and keeps the memory.
    mutating func clear() {
        guard !all.isEmpty else { return }
        all.removeAll(keepingCapacity: true)
        kinds.removeAll()
    }
}
