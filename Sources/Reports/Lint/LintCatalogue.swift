/// Every check, in the order of their codes.
enum LintCatalogue {
    static let all: [any LintCheck.Type] = [
        AnnotatesEverything.self, AutobanWithSharedTeam.self, FilterNeverMatches.self, FlagNameWithinAnother.self,
        IneffectiveFilteredPolicy.self, MissingInput.self, UnknownFilterKey.self,
    ]
}
