package import Figures

extension Figures {
    /// Replaces the values of attributes that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        labels?.hideValues(by: redactor)
        guard let redactor, let all = frequencies else { return }
        frequencies = all.map { frequency in
            var hidden = frequency
            for index in hidden.commonest.indices {
                hidden.commonest[index].text = redactor.value(frequency.commonest[index].text, of: frequency.attribute)
            }
            return hidden
        }
    }
}

extension LabelFigures {
    /// Replaces the values of labels that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for index in unmatched.indices {
            unmatched[index].value = redactor.value(unmatched[index].value, of: unmatched[index].attribute)
        }
    }
}

extension Comparison {
    /// Replaces the values that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        changes.labels?.hideValues(by: redactor)
        hits?.hideValues(by: redactor)
        drift?.hideValues(by: redactor)
        valueHits?.hideValues(by: redactor)
        assumed?.hideValues(by: redactor)
    }
}

extension HitFigures {
    /// Replaces the values that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for hit in hits.indices {
            for term in hits[hit].terms.indices { hits[hit].terms[term].hide(by: redactor) }
        }
    }
}

extension ValueHits {
    /// Replaces the values that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for index in rejected.indices { rejected[index].hideValues(by: redactor) }
        for index in accepted.indices { accepted[index].hideValues(by: redactor) }
    }
}

extension ValueHits.Key {
    fileprivate mutating func hideValues(by redactor: Redactor) {
        for index in values.indices {
            values[index].text = HitFigures.Term(key: key, value: values[index].text).hidden(by: redactor).value
        }
    }
}

extension DriftFigures {
    /// Replaces the values that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
        guard let redactor else { return }
        for index in values.indices where values[index].rare == 0 { values[index].term.hide(by: redactor) }
        if let term = greatest?.term { greatest?.term = term.hidden(by: redactor) }
    }
}

extension HitFigures.Term {
    fileprivate func hidden(by redactor: Redactor) -> HitFigures.Term {
        var term = self
        term.hide(by: redactor)
        return term
    }

    // The names of flags and filters are those of an account.
    fileprivate mutating func hide(by redactor: Redactor) {
        value = ["flags", "filters", "verdict"].contains(key) ? redactor.text(value) : redactor.value(value, of: key)
    }
}
