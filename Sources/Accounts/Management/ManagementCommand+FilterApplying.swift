internal import Documents
internal import PolicyEngine

extension ManagementCommand {
    /// Carries out a command of the topic `filter` that is no question.
    func applyToFilters(of account: inout Account, _ effect: inout CommandEffect) throws(CommandError) {
        switch self {
        case .addFilter(let filter):
            try addFilter(filter, &account)
            effect.reported = ["successfully set filter \(filter.name)"]
        case .removeFilter(let name):
            try removeFilter(name, &account)
            effect.reported = ["successfully removed filter \(name)"]
        case .setSamplingPercentage(let percentage):
            account.samplingPercentage = percentage
            effect.reported = ["successfully set sampling percentage"]
        default: break
        }
    }

    private func addFilter(_ filter: Filter, _ account: inout Account) throws(CommandError) {
        do throws(FilterError) {
            try account.set(filter)
        } catch {
            var hint = error.hint
            if case .missingInput(let input, _, let known) = error { hint = Suggestion.hint(for: input, among: known) }
            throw CommandError(error.description, hint: hint)
        }
    }

    private func removeFilter(_ name: String, _ account: inout Account) throws(CommandError) {
        do throws(FilterError) {
            try account.removeFilter(named: name)
        } catch {
            var hint: String?
            if case .unknown(let name, let known) = error { hint = Suggestion.hint(for: name, among: known) }
            throw CommandError(error.description, hint: hint)
        }
    }
}
