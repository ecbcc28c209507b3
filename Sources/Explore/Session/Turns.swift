internal import Documents

/// Lets one question at a time be evaluated; a newer question of the same asker ends older ones that it replaces.
final class Turns: Sendable {
    /// The asker and the subject of a question.
    struct Asker: Hashable, Sendable {
        let session: String
        let subject: QuestionSubject

        /// True if a question of this asker ends an older one of another.
        ///
        /// The effect of the changes is asked for after each of them: what a page asked about the changes before, it
        /// needs no more. The sessions of its other questions begin with its own.
        func ends(_ other: Asker) -> Bool {
            if self == other { return true }
            guard subject == .answer, other.session.hasPrefix(session) else { return false }
            return [.answer, .whatif, .devices].contains(other.subject)
        }
    }

    private let newest = Lock<[Asker: Cancellation]>([:])
    private let evaluation = Lock(())

    /// Evaluates a question when it is its turn.
    ///
    /// - Parameters:
    ///   - asker: `nil` for a question that no other one ends.
    ///   - body: Evaluates it, until it is interrupted.
    /// - Returns: `nil` where a newer question took its place.
    func take<Result: Sendable, Failure: Error>(
        _ asker: Asker?, _ body: (Cancellation) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let own = Cancellation()
        if let asker {
            newest.withLock { newest in
                for (other, cancellation) in newest where asker.ends(other) { cancellation.request() }
                newest[asker] = own
            }
        }
        defer {
            if let asker { newest.withLock { if $0[asker] === own { $0[asker] = nil } } }
        }
        do throws(Failure) {
            let result = try evaluation.withLock { _ throws(Failure) in own.isRequested ? nil : try body(own) }
            return own.isRequested ? nil : result
        } catch {
            // A failure of what was ended is no answer.
            guard own.isRequested else { throw error }
            return nil
        }
    }
}
