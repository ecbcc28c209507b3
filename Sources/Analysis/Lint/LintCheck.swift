internal import Documents
internal import PolicyEngine

/// Something that is legal in an account and probably a mistake.
///
/// A check is a file of its own with its examples, which are its tests, too, and a line of ``LintCatalogue``.
protocol LintCheck: Sendable {
    /// The description of the check.
    static var information: LintInformation { get }

    /// The findings in an account.
    static func findings(in account: LintedAccount, among all: [LintedAccount]) -> [LintFinding]

    /// The findings in a scenario, in which accounts, backends and devices meet.
    static func findings(in scenario: LintedScenario) -> [LintFinding]

    /// The findings in the figures of a capture under an account.
    static func findings(in account: LintedAccount, counted: CountedCapture) -> [LintFinding]
}

// Most checks look at one of them.
extension LintCheck {
    static func findings(in scenario: LintedScenario) -> [LintFinding] { [] }
    static func findings(in account: LintedAccount, among all: [LintedAccount]) -> [LintFinding] { [] }
    static func findings(in account: LintedAccount, counted: CountedCapture) -> [LintFinding] { [] }
}

/// Every check, in the order of their codes.
package enum LintCatalogue {
    static let all: [any LintCheck.Type] = [
        AnnotatesEverything.self, AutobanWithSharedTeam.self, DevelopmentKey.self, FilterNeverMatches.self,
        FlagNameWithinAnother.self, IneffectiveFilteredPolicy.self, MissingInput.self, RejectingShare.self,
        RotationWithoutPin.self, UnknownFilterKey.self, UnpinnedByOldClients.self,
    ]

    /// The code of each check, and the reason why its findings matter.
    package static let reasons = all.map { (code: $0.information.code, why: $0.information.why) }
}

/// The name of a check, the reason why it matters, and examples.
struct LintInformation {
    /// The code by which findings name it.
    let code: String
    /// The reason why its findings matter, in a sentence.
    let why: String
    /// An account in which it finds something.
    let trips: String
    /// A similar account in which it finds nothing.
    let passes: String
    /// The capture beside both accounts, in JSON Lines, where the check needs one.
    var capture: String?
}

/// Something that a check found.
struct LintFinding: Hashable {
    /// The problem: lower case, no final period.
    let message: String
    /// Its position, if the account's text is there.
    let position: SourcePosition?
    /// Advice that might help, if it says more than why it matters.
    var hint: String?
}
