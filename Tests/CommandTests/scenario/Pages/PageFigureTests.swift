import Documents
import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Every figure on a page is in the JSON of the same answer, or is a share, a sum or a difference of two that are: of those that pass
/// and fail, or before and after a change.
@Suite struct PageFigureTests {
    private static let root = Repository.root.path(percentEncoded: false)
    private static let morning = "'\(root)Scenarios/captures/new-devices-2020-07-23.txt'"
    private static let afternoon = "'\(root)Scenarios/captures/afternoon-2020-07-23.jsonl'"
    private static let bank = "'--account=\(root)Scenarios/accounts/bank.yaml'"
    private static let labels =
        #"{"device":"Android 9, SM-G960F, samsung, starlte, es","label":"good"}"# + "\n"
        + #"{"device-id":"hMEywo8hWadZjlpRQVMXIA==","label":"bad"}"# + "\n"

    static let commands: [Words] =
        (PageTests.tables.map { Words(stringLiteral: $0) } + DecidingWordsTests.commands).filter {
            $0.list[0] != "explain"
        }
        + [
            "diff \(morning) \(bank) --policy=default,strict,risk --labels=@known.jsonl --cost=missed=40,blocked=6 --confidence=95%",
            "diff \(morning) --account=@steps.yaml --policy=default,strict,default --labels=@known.jsonl --alternatives=3 "
                + "--rollout=10%:1h,100%",
            "whatif \(morning) \(bank)", "replay \(morning) \(bank) --count=os-version,model",
            "compare \(morning) \(afternoon) \(bank)",
            "rollout \(morning) --account=@steps.yaml --policy=strict --steps=10%:1h,30%:1h,100%",
        ].map { Words(stringLiteral: $0) }

    private static let files: [String: String] = DiffSample.files.merging(DecidingWordsTests.files) { $1 }.merging([
        "known.jsonl": labels, "steps.yaml": "account: a\npolicy: default,allow-root,default\nrules: [trial]\n",
    ]) { $1 }

    @Test(arguments: commands) func figuresAreInTheJSON(_ command: Words) throws {
        let folder = try TemporaryFolder(Self.files)
        let page = ToolRun(command.list + ["--format=html"], in: folder).output
        let report = ToolRun(command.list + ["--format=json"], in: folder).output
        let known = try Known(report)
        let figures = Self.figures(of: page)
        #expect(!figures.isEmpty, "\(page.prefix(300))")
        let unknown = figures.filter { !known.has($0) }
        expect(unknown, equals: [])
    }

    // The cells of figures, and the large ones at the top: without the inputs, whose sizes are no part of the answer.
    private static func figures(of page: String) -> [String] {
        let end = page.firstRange(of: #"id="repeat-it""#)?.lowerBound ?? page.endIndex
        let text = String(page[..<end])
        let cells = text.matches(of: #/<td[^>]* class="n[^"]*"[^>]*>(.*?)</td>/#).map { String($0.output.1) }
        let large = text.matches(of: #/<p class="v">(.*?)</p>/#).map { String($0.output.1) }
        return (cells + large).flatMap { cell in
            cell.replacing(#/<[^>]*>/#, with: " ").split(whereSeparator: { $0 == " " || $0 == "→" })
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "(),;:")) }
                .filter { $0.contains(where: \.isNumber) && $0.allSatisfy { "0123456789,.+−–-±".contains($0) } }
        }
    }

    // The numbers of a report, and what follows from two of them.
    private struct Known {
        private let counts: Set<Int>
        private let shares: Set<Int>
        private let decimals: [Double]

        init(_ json: String) throws {
            var counts: Set<Int> = []
            var (shares, decimals): (Set<Int>, [Double]) = ([], [])
            func collect(_ value: Any) {
                switch value {
                case let members as [String: Any]:
                    for member in members.values { collect(member) }
                    // A map by names: its keys may be numbers, and its size is one.
                    counts.formUnion(members.keys.compactMap { Int($0) })
                    counts.insert(members.count)
                case let list as [Any]:
                    for item in list { collect(item) }
                    counts.insert(list.count)
                case let number as NSNumber:
                    if number.doubleValue.rounded() == number.doubleValue { counts.insert(number.intValue) }
                    decimals += [number.doubleValue, number.doubleValue * 100]
                case let text as String:
                    counts.formUnion(text.matches(of: #/\d+/#).compactMap { Int($0.output) })
                default: break
                }
            }
            collect(try JSONSerialization.jsonObject(with: Data(json.utf8)))
            for part in counts {
                for whole in counts where whole > 0 && part <= whole && part >= 0 {
                    shares.insert((part * 2000 + whole) / (2 * whole))
                }
            }
            (self.counts, self.shares, self.decimals) = (counts, shares, decimals)
        }

        func has(_ figure: String) -> Bool {
            figure.split(separator: "–").allSatisfy { end in
                let plain = end.filter { !",+−-±".contains($0) }
                guard let number = Double(plain) else { return true }
                if let point = plain.firstIndex(of: ".") {
                    return hasShare(number, digits: plain.distance(from: point, to: plain.endIndex) - 1)
                }
                let count = Int(number)
                return counts.contains(count)
                    || counts.contains { counts.contains($0 + count) || counts.contains(count - $0) }
            }
        }

        // A percentage: that of two counts, whose rounding may differ in the last digit, or a number of the report.
        private func hasShare(_ percentage: Double, digits: Int) -> Bool {
            var unit = 1.0
            for _ in 0..<digits { unit /= 10 }
            let isPart = digits == 1 && (-1...1).contains { shares.contains(Int((percentage * 10).rounded()) + $0) }
            return isPart || decimals.contains { abs(abs($0) - percentage) < unit * 1.01 }
        }
    }
}
