/// The state of reading a capture's records so far. If many are not understood, none is tried for a while.
struct LearnedForm {
    /// The keys in the order in which records give them.
    private(set) var template = KeyTemplate()
    /// The fields whose values are looked for as one.
    private(set) var groups = ValueGroups()
    // `nil` once it is decided.
    private var trial: GroupTrial? = GroupTrial()
    private var trialsLeft = LearnedForm.trials
    // Rises with records that were understood, falls with those that were not; below 0 none is tried.
    private var credit = LearnedForm.limit

    private static let limit = 256
    private static let failure = 16
    private static let pause = 4096
    private static let trials = 8

    /// True if records may be tried.
    var isOpen: Bool { credit >= 0 && !template.keys.isEmpty }

    mutating func noteUnderstood(_ count: Int) { credit = min(credit + count, Self.limit) }

    /// Takes the keys of a record that was not understood and is valid.
    mutating func learn(_ keys: () -> [KeyTemplate.Key]?) {
        guard credit >= 0 else {
            credit += 1
            return
        }
        credit -= Self.failure
        if credit < 0 { credit = -Self.pause }
        guard let keys = keys(), template.learn(keys) else { return }
        groups = ValueGroups()
        trial = trialsLeft > 0 ? GroupTrial() : nil
        trialsLeft -= 1
    }

    /// Looks at records, to find out which of their values come together.
    ///
    /// - Parameter revision: The number of the groups that were found last; rises.
    mutating func observe(_ rows: borrowing ValueRows, columns: [Int], revision: inout Int) {
        trial?.look(at: rows, columns: columns)
        guard let trial, trial.isOver else { return }
        self.trial = nil
        let found = trial.groups(in: template.runs(of: columns)).prefix(ValueGroups.limit)
        guard !found.isEmpty else { return }
        revision += 1
        let first = rows.width - ValueGroups.limit
        groups = ValueGroups(
            found.enumerated().map { number, members in
                ValueGroups.Group(column: first + number, columns: members.map { columns[$0] })
            }, revision: revision)
    }
}
