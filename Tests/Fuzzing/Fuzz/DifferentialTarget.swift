/// Two readers of one thing, which must come to the same. The process ends where they do not.
enum DifferentialTarget {
    /// What two readers made of one thing, with the names of both.
    static func compare<Reading: Equatable>(_ first: Reading, _ second: Reading, _ names: (String, String)) {
        guard first != second else { return }
        fatalError("\(names.0) and \(names.1) differ:\n\(first)\n\n\(second)")
    }
}
