/// The difference of two texts, line by line.
struct LineDifference {
    private enum Change {
        case kept, removed, added
    }

    private var changes: [(change: Change, line: String)] = []

    /// Compares what is expected with what is actually there.
    init(_ expected: [String], _ actual: [String]) {
        let difference = actual.difference(from: expected)
        var removed: Set<Int> = []
        var added: [Int: String] = [:]
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, let line, _): added[offset] = line
            }
        }
        var position = 0
        func addInserted(to changes: inout [(change: Change, line: String)]) {
            while let line = added[position] {
                changes.append((.added, line))
                position += 1
            }
        }
        for (offset, line) in expected.enumerated() {
            if removed.contains(offset) {
                changes.append((.removed, line))
            } else {
                addInserted(to: &changes)
                changes.append((.kept, line))
                position += 1
            }
        }
        addInserted(to: &changes)
    }

    /// The lines, `-` before what is expected alone and `+` before what is there alone, with two lines around each change.
    func lines(coloured: Bool) -> [String] {
        let shown = changes.indices.filter { index in
            changes[max(0, index - 2)...min(changes.count - 1, index + 2)].contains { $0.change != .kept }
        }
        return shown.flatMap { index in
            let isGap = index > 0 && !shown.contains(index - 1)
            return (isGap ? ["  …"] : []) + [Self.line(changes[index].change, changes[index].line, coloured)]
        }
    }

    private static func line(_ change: Change, _ line: String, _ coloured: Bool) -> String {
        switch change {
        case .kept: "  \(line)"
        case .removed: coloured ? "\u{1B}[31m- \(line)\u{1B}[0m" : "- \(line)"
        case .added: coloured ? "\u{1B}[32m+ \(line)\u{1B}[0m" : "+ \(line)"
        }
    }
}
