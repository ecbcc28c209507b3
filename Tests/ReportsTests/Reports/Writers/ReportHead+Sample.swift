@testable import Reports

extension ReportHead {
    /// A head with a verdict, a detail, a note, a fact that becomes worse, and two zeros.
    static var sample: ReportHead {
        var head = ReportHead(
            "104 of 2,000 devices", verdict: ReportText("✗ Limit exceeded", .bad), details: ["`a` rejects them"],
            notes: ["a note"])
        head.facts = [.init("Good devices blocked", from: 4, to: 12, of: 86, more: .bad)]
        head.zeros = ["no device is newly accepted", "all are evaluated"]
        return head
    }
}
