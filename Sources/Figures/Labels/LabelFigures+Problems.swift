package import Documents

extension LabelFigures {
    /// The labels that contradict each other, as errors.
    ///
    /// - Parameter path: The file of the labels.
    package func problems(in path: String) -> [Diagnostic] {
        contradictions.sorted { ($0.bad, $0.good) < ($1.bad, $1.good) }.map { pair in
            let others = pair.devices - 1
            return Diagnostic(
                file: path, line: max(pair.bad, pair.good),
                message:
                    "the labels of lines \(min(pair.bad, pair.good)) and \(max(pair.bad, pair.good)) contradict each "
                    + "other: one says bad and the other good of device \(pair.example)"
                    + (others > 0 ? " and \(others.grouped) \(others == 1 ? "other" : "others")" : ""),
                hint: "a device has one label in all captures together, whatever the attributes and times of labels are"
            )
        }
    }
}
