package import HTTP
internal import PolicyEngine

/// A question of the page, as its request says it.
package struct Question: Sendable {
    package let subject: QuestionSubject
    private let members: [JSONMember]

    /// Reads the body of a request.
    ///
    /// - Throws: ``Refusal`` for one that is no JSON object, or has a member that is not known.
    init(_ subject: QuestionSubject, body: [UInt8]) throws(Refusal) {
        self.subject = subject
        members = subject.method == "GET" ? [] : try RequestBody.object(body)
        for member in members {
            let name = member.name.text
            guard subject.members.contains(name) else {
                let known = subject.members.sorted().joined(separator: ", ")
                throw .badField(name, "there is no such member", hint: "there are \(known)")
            }
        }
    }

    /// The management commands that change the account, in their order.
    package var changes: [String] {
        get throws(Refusal) {
            guard let value = value("changes") else { return [] }
            guard case .array(let items) = value else { throw .badField("changes", "this is no list of commands") }
            let lines = items.compactMap(\.text)
            guard lines.count == items.count else { throw .badField("changes", "a command is not text") }
            return lines
        }
    }

    /// The session of the page that asks; `nil` if it says none.
    package var session: String? {
        get throws(Refusal) {
            guard let session = try text("session") else { return nil }
            guard session.utf8.count <= Self.longestSession else {
                throw .badField("session", "it has more than \(Self.longestSession) bytes")
            }
            return session
        }
    }

    private static let longestSession = 64

    /// The text of a member; `nil` where it is not there.
    package func text(_ name: String) throws(Refusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.text else { throw .badField(name, "this is no text") }
        return text
    }

    /// The text of a member that has to be there.
    package func requiredText(_ name: String) throws(Refusal) -> String {
        guard let text = try text(name) else { throw .badField(name, "the member is missing") }
        return text
    }

    /// A text or a number as it was written; `nil` where the member is not there.
    package func word(_ name: String) throws(Refusal) -> String? {
        if case .number(let digits)? = value(name) { return digits }
        return try text(name)
    }

    /// The number of a member; `nil` where it is not there.
    ///
    /// - Parameter range: The numbers that it may be.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw .badField(name, "this is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// True if a member is there and is true.
    package func isTrue(_ name: String) throws(Refusal) -> Bool {
        switch value(name) {
        case nil: return false
        case .boolean(let value): return value
        default: throw .badField(name, "this is neither true nor false")
        }
    }

    /// The objects of a list whose members are texts; none where it is not there.
    func objects(_ name: String) throws(Refusal) -> [[String: String]] {
        guard let value = value(name) else { return [] }
        guard case .array(let items) = value else { throw .badField(name, "this is no list") }
        var objects: [[String: String]] = []
        for item in items {
            guard case .object(let members) = item else { throw .badField(name, "an item is no object") }
            var object: [String: String] = [:]
            for member in members {
                guard let text = member.value.text, object.updateValue(text, forKey: member.name.text) == nil else {
                    throw .badField(name, "a member of an item is no text, or is given twice")
                }
            }
            objects.append(object)
        }
        return objects
    }

    private func value(_ name: String) -> JSONContent? {
        guard let value = members.first(where: { $0.name.text == name })?.value else { return nil }
        if case .null = value { return nil }
        return value
    }
}

/// The subject of a question of the page: the last part of its path.
package enum QuestionSubject: String, CaseIterable, Sendable {
    /// The captures, the account and the options that the session began with.
    case captures
    /// The keys of the values that the captures have.
    case keys
    /// The account after the changes, as switches.
    case account
    /// The effect of the changes.
    case answer
    /// The devices that fail after the changes, by the reasons.
    case reasons
    /// The effect of an assumption about flags that devices have.
    case assumed
    /// The effect of every single further edit.
    case whatif
    /// The edits that let in the selected devices again, and the fewest others.
    case exempt
    /// The parts of the account as it is that decide nothing.
    case hygiene
    /// The decisions on one device.
    case explain
    /// A page of the devices whose verdicts change.
    case devices
    /// The values that a pattern matches.
    case matches
    /// A command that is being typed: its mistakes.
    case check
    /// A command that is being typed: the words that may follow.
    case complete
    /// The changes in a form that is kept.
    case take
    /// The progress of the evaluation that is made now.
    case progress
    /// The end of all questions of a session, which has an empty answer.
    case end

    /// The members that a request may have.
    package var members: Set<String> {
        switch self {
        case .captures, .keys, .progress: []
        case .account: ["changes", "session"]
        case .answer: Self.evaluated.union(["who", "order", "count", "top"])
        case .reasons: Self.evaluated
        case .assumed: Self.evaluated.union(["assumption"])
        case .whatif: Self.evaluated.union(["order", "cost"])
        case .exempt: Self.evaluated
        case .hygiene: ["session"]
        case .explain: ["changes", "session", "device"]
        case .devices: Self.evaluated.union(["kind", "order", "offset", "count"])
        case .matches: ["session", "key", "value", "regex"]
        case .check: ["changes", "session", "line"]
        case .complete: ["session", "line"]
        case .take: Self.evaluated.union(["form", "assumption"])
        case .end: ["session"]
        }
    }

    private static let evaluated: Set = ["changes", "session", "from", "to", "narrow"]

    /// The method of a request.
    var method: String { [.captures, .keys, .progress].contains(self) ? "GET" : "POST" }

    /// True if the captures are evaluated for an answer, which one question at a time may have.
    package var isEvaluated: Bool {
        switch self {
        case .answer, .reasons, .assumed, .whatif, .exempt, .hygiene, .explain, .devices, .matches, .take, .account:
            true
        case .captures, .keys, .check, .complete, .progress, .end: false
        }
    }
}
