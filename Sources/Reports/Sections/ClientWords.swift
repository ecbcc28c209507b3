internal import Documents
package import Figures

extension Comparison {
    /// The changes of one kind in one way, and the number of devices that have them: one sentence, without its end.
    package func sentence(of part: ClientChanges.Part, _ effect: ClientChanges.Effect = .worse) -> String {
        "\(part[effect].devices.grouped) \(words(of: part, effect))"
    }

    // The same sentence behind the number of devices.
    private func words(of part: ClientChanges.Part, _ effect: ClientChanges.Effect) -> String {
        let (count, all) = (part[effect].devices, changes.devices)
        let change =
            switch effect {
            case .worse: Self.loss(part)
            case .better: Self.gain(part.kind)
            case .other: Self.otherwise(part)
            }
        return "of \(all.counting("device")) (\(count.share(of: all))) would \(change)"
    }

    private static func loss(_ part: ClientChanges.Part) -> String {
        switch part.kind {
        case .token: "get no valid tokens"
        case .request: "have requests no longer accepted (\(results(of: part, .worse)))"
        case .secureString: "no longer get secure strings"
        case .customToken: "no longer get custom JWTs"
        case .proof: "no longer prove measurements"
        }
    }

    private static func gain(_ kind: ClientChanges.Kind) -> String {
        switch kind {
        case .token: "get valid tokens at more times"
        case .request: "have requests newly accepted"
        case .secureString: "newly get secure strings"
        case .customToken: "newly get custom JWTs"
        case .proof: "newly prove measurements"
        }
    }

    private static func otherwise(_ part: ClientChanges.Part) -> String {
        let results = Self.results(of: part, .other)
        return switch part.kind {
        case .token: "get no valid tokens for another reason (\(results))"
        case .request: "have requests with another outcome (\(results))"
        case .secureString: "get another answer to calls for secure strings (\(results))"
        case .customToken: "get another answer to calls for custom JWTs (\(results))"
        case .proof: "get another answer to proofs (\(results))"
        }
    }

    // `blocked: 90, refused: 10`, by devices.
    private static func results(of part: ClientChanges.Part, _ effect: ClientChanges.Effect) -> String {
        part.differences.filter { $0.effect == effect }.map { "\($0.after): \($0.count.devices.grouped)" }
            .joined(separator: ", ")
    }
}
