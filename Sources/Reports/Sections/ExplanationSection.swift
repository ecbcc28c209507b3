internal import Documents
internal import Figures
internal import Scenarios

extension ReportSection {
    /// The command that explains a device of the report; nothing where there is none.
    static func explanation(_ command: String?) -> [ReportSection] {
        command.map {
            [ReportSection(.title("To explain a device"), lists: [ReportList(items: [$0], isOutput: true)])]
        } ?? []
    }
}

extension Comparison {
    /// The command that explains a device of the comparison, one that changes sides if there is any.
    ///
    /// - Parameter origin: The origin of the comparison.
    func explanation(_ origin: ReportOrigin) -> String? {
        let changed = (changes.rejected.examples + changes.accepted.examples).map(\.device)
        let clients = (changes.clients?.parts ?? []).flatMap(\.differences).map(\.example)
        return origin.explanation(of: (changed + clients + changes.disagreements.map(\.example)).first)
    }
}

extension Report {
    /// The command that explains the devices of an expectation; `nil` where none finds them.
    func explanation(of result: ExpectationResult) -> String? {
        explanationOptions.map { options in
            let device = result.explainedDevice.map { " " + Escape.shell(option: "--device", $0) } ?? ""
            return "scenario explain \(Escape.shell(operand: result.file))\(device)\(options)"
        }
    }

    /// The command that explains a device of the report, the one that fetches most among those that attested.
    ///
    /// - Parameter origin: The origin of the report.
    func explanation(_ origin: ReportOrigin) -> String? {
        origin.explanation(of: fetches?.most.first { $0.passed != nil }?.id)
    }
}
