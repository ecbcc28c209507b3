internal import Documents
internal import Figures

/// The certainty of a comparison's counts of devices that lose or gain valid tokens.
enum Certainty: Hashable {
    /// The effect on every device is known.
    case exact
    /// The effect on a number of devices is unknown; each of them may belong to those that are counted or not.
    case bounded(open: Int)
    /// The change has effects that cannot be evaluated, so that there may be more devices or fewer.
    case open

    /// The word for it in files.
    var name: String {
        switch self {
        case .exact: "exact"
        case .bounded: "bounded"
        case .open: "open"
        }
    }
}

extension Comparison {
    /// The certainty of the counts of devices that lose or gain valid tokens.
    var certainty: Certainty {
        // Reasons for which it is known how many devices they are about.
        let bounded = [Figures.Unevaluated.newDeviceReason, Figures.Unevaluated.searchesStart]
        let isOpen = !isExact && unevaluated.contains { sentence in !bounded.contains { sentence.hasPrefix($0) } }
        if isOpen { return .open }
        let open = changes.unevaluated.devices + changes.openTurns
        return open == 0 ? .exact : .bounded(open: open)
    }

    /// The greatest number of devices that may be counted, if it is known; `nil` if there is no bound but all.
    func atMost(_ devices: Int) -> Int? {
        switch certainty {
        case .exact: devices
        case .bounded(let open): devices + open
        case .open: nil
        }
    }

    /// The grounds of the numbers, in sentences.
    var grounds: [String] {
        let all = changes.devices
        let open = changes.unevaluated.devices + changes.openTurns
        let known =
            "the effect of the change is known for \((all - open).grouped) of \(all.counting("device"))"
        let sure =
            switch certainty {
            case .exact: "exact: \(known)"
            case .bounded(let open): "at least, and at most \(open.grouped) more: \(known)"
            case .open:
                "not exact: the change has effects that \(isCapture ? "a capture" : "the scenario") does not show"
            }
        guard let reproduced = before.figures.reproduced else { return [sure] }
        return [
            sure,
            "the account before gives \(reproduced.agreed.grouped) of \(reproduced.compared.grouped) captured verdicts "
                + "(\(reproduced.agreed.share(of: reproduced.compared)))",
        ]
    }
}
