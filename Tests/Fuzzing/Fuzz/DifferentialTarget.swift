/// Two readers of one thing, which must have the same result. The process ends if they do not.
enum DifferentialTarget {
    /// Compares the results of two readers of one thing, with the names of both.
    static func compare<Reading: Equatable>(_ first: Reading, _ second: Reading, _ names: (String, String)) {
        guard first != second else { return }
        fatalError("\(names.0) and \(names.1) differ:\n\(first)\n\n\(second)")
    }
}
