package import Documents
package import PolicyEngine

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
        AnnotatesEverything.self, AutobanWithSharedTeam.self, DevelopmentKey.self, ExemptionExpired.self,
        FilterNeverMatches.self,
        FlagNameWithinAnother.self, IneffectiveFilteredPolicy.self, MissingInput.self, OpenEndedPattern.self,
        RejectingShare.self, RotationWithoutPin.self, UnknownFilterKey.self, UnpinnedByOldClients.self,
    ]

    /// The description of each check.
    package static let information = all.map { $0.information }

    /// The code of each check, and the reason why its findings matter.
    package static let reasons = information.map { (code: $0.code, why: $0.why) }

    /// The description of the check with a code; `nil` if there is none.
    package static func information(on code: String) -> LintInformation? { information.first { $0.code == code } }
}

/// The name of a check, the reason why it matters, and examples.
package struct LintInformation: Sendable {
    /// The code by which findings name it.
    package let code: String
    /// The files, or else, without which it finds nothing in an account or a scenario.
    var needs = Company.none
    /// The reason why its findings matter, in a sentence.
    package let why: String
    /// The usual way to mend a finding, as a request.
    package let mend: String
    /// An account in which it finds something.
    package let trips: String
    /// A similar account in which it finds nothing.
    package let passes: String
    /// The capture beside both accounts, in JSON Lines, where the check needs one.
    package var capture: String?
    /// The instant for which both accounts are checked, where the check needs one.
    package var instant: Instant?

    /// The files that have to be given beside an account.
    enum Company {
        case none, accounts, capture, instant
    }
}

/// The pages of the installed documentation that explain problems, each with its heading.
package enum HelpPage {
    /// The page on files that are read.
    package static let files = "FORMATS.md#yaml-files"

    /// The page on a check.
    package static func check(_ code: String) -> String { "LINT.md#\(code)" }

    /// The address of a page where the package installs it.
    package static func link(to page: String) -> String { "file:///usr/share/doc/scenario/docs/\(page)" }
}

extension Diagnostic {
    /// The code of the check that found it, if a check did.
    package var lintCode: String? {
        LintCatalogue.reasons.lazy.map(\.code).first { message.hasSuffix(" [\($0)]") }
    }

    /// The address of the page that explains it.
    package var helpLink: String { HelpPage.link(to: lintCode.map(HelpPage.check) ?? HelpPage.files) }
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
