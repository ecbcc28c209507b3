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
