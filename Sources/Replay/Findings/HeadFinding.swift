internal import PolicyEngine

/// The findings in the system and the rejections of a record.
struct HeadFinding: Finding {
    var system = OperatingSystem.unknown
    var verdict = Verdict()

    /// The verdict of the service, as far as the record says it.
    struct Verdict: OptionSet, Hashable {
        let rawValue: UInt8
        static let passed = Verdict(rawValue: 1)
        static let failed = Verdict(rawValue: 2)
        /// The list of rejections is none.
        static let unsound = Verdict(rawValue: 4)

        var verdict: Bool? { isEmpty ? nil : contains(.passed) }
    }

    static var nothing: HeadFinding { HeadFinding(system: .unknown) }

    init(system: OperatingSystem) { self.system = system }

    init(rejections list: Span<UInt8>) {
        verdict = list.isEmpty ? .passed : FlagList.isSound(list) ? .failed : .unsound
    }

    mutating func formUnion(_ other: HeadFinding) {
        if case .unknown = other.system {} else { system = other.system }
        verdict.formUnion(other.verdict)
    }
}
