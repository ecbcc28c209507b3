/// What is said and asked before a command is carried out that bears on apps in production, in the manual's words.
package struct CommandConfirmation: Hashable, Sendable {
    /// What the command found that it would act on.
    package var matches: [String] = []
    /// What is to be considered first.
    package var cautions: [String] = []
    /// What has to be confirmed.
    package let consequence: String

    /// The answer that lets the command proceed; no other one does.
    package static let consent = "YES"

    /// Makes a confirmation of its consequence alone.
    init(_ consequence: String) {
        self.consequence = consequence
    }

    /// The manual's usual consequence.
    ///
    /// - Parameter deed: What is done, such as `removing the API`.
    static func impact(of deed: String) -> CommandConfirmation {
        CommandConfirmation("\(deed) will have an immediate impact on your apps in production")
    }

    /// The lines that come before the question.
    package var introduction: [String] { matches + cautions.map { "WARNING: \($0)" } }

    /// The question, with the space behind which the answer is typed.
    package var question: String {
        "WARNING: \(consequence). If you wish to continue then please enter \(Self.consent) and return: "
    }
}
