internal import PolicyEngine

/// How much a change may do: a number of devices, or a share of them.
enum DiffGate: Hashable {
    case devices(Int)
    case share(Percentage)

    /// Reads `12`, `0` or `0.1%`.
    ///
    /// - Returns: `nil` for another form.
    init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let share = Percentage(text.dropLast()) else { return nil }
            self = .share(share)
        } else {
            guard text.utf8.allSatisfy(\.isDigit), let count = Int(text) else { return nil }
            self = .devices(count)
        }
    }

    /// Whether so many devices of all are no more than allowed.
    func allows(_ count: Int, of all: Int) -> Bool {
        switch self {
        case .devices(let limit): count <= limit
        case .share(let share): share.isAtLeast(count, of: all)
        }
    }
}
