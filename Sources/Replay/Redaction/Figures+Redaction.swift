internal import Figures

extension Figures {
    /// Replaces the values of attributes that say something of people.
    package mutating func hideValues(by redactor: Redactor?) {
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
