/// A value of which every field is listed, so that it can be said in which fields two values differ.
package protocol FieldwiseComparable: Equatable {
    /// The fields.
    associatedtype Field: CaseIterable, Hashable, Sendable

    /// Makes one field that of another value.
    mutating func copy(_ field: Field, from other: Self)
}

extension FieldwiseComparable {
    /// The fields in which it differs from another value, in the order of their declaration.
    ///
    /// - Returns: Also, whether these are all differences; a field that the list lacks is one that nothing is known of.
    package func differences(from other: Self) -> (fields: [Field], areAll: Bool) {
        var rest = self
        let fields = Field.allCases.filter { field in
            let former = rest
            rest.copy(field, from: other)
            return rest != former
        }
        return (fields, rest == other)
    }

    /// The fields in which it differs from another value; all where it differs in one that the list lacks.
    package func fields(differingFrom other: Self) -> Set<Field> {
        let (fields, areAll) = differences(from: other)
        return Set(areAll ? fields : Array(Field.allCases))
    }
}
