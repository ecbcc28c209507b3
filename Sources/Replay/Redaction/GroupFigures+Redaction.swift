package import Figures

extension HitFigures {
    /// Replaces the values that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for hit in hits.indices {
            for term in hits[hit].terms.indices { hits[hit].terms[term].hide(by: redactor) }
        }
    }
}

extension DriftFigures {
    /// Replaces the values that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for index in values.indices { values[index].term.hide(by: redactor) }
    }
}

extension HitFigures.Term {
    // The names of flags and filters are those of an account.
    fileprivate mutating func hide(by redactor: Redactor) {
        value = ["flags", "filters", "verdict"].contains(key) ? redactor.text(value) : redactor.value(value, of: key)
    }
}
