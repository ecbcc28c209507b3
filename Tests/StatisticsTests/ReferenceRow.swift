/// The values of a function by other programs, which ``ReferenceRow/all`` lists.
struct ReferenceRow: Sendable {
    let function: ReferenceFunction
    let arguments: [Double]
    let expected: [Double]

    init(_ function: ReferenceFunction, _ arguments: [Double], _ expected: [Double]) {
        (self.function, self.arguments, self.expected) = (function, arguments, expected)
    }
}
