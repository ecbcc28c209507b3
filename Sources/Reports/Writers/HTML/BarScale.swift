internal import Documents
internal import Statistics

/// The scale of bars: from zero to a round figure.
struct BarScale {
    /// The figure at the end: a count, or a share from 0 to 1.
    let end: Double
    private let isShare: Bool

    // The factor by which a figure may exceed the next one without being cut: beyond it, all other bars would disappear.
    private static let cutFactor = 3.0

    /// - Parameters:
    ///   - figures: The figures of all bars, at least one of them above zero.
    ///   - isShare: True if they are shares.
    init(reaching figures: [Double], isShare: Bool) {
        let sorted = figures.sorted(by: >)
        // A few figures that are far beyond all others are cut.
        let cut = (0..<max(0, (sorted.count - 1) / 4 + (sorted.count > 2 ? 1 : 0))).last { index in
            index + 1 < sorted.count && sorted[index + 1] > 0 && sorted[index] > Self.cutFactor * sorted[index + 1]
        }
        let greatest = cut.map { $0 + 1 } ?? 0
        let longest = sorted.first.map { _ in sorted[greatest] } ?? 1
        end = isShare ? min(1, Self.round(longest * 1.02)) : max(1, Self.round(longest * 1.02))
        self.isShare = isShare
    }

    /// The least round figure that reaches another one: one or two digits, and zeros.
    static func round(_ figure: Double) -> Double {
        guard figure > 0 else { return 1 }
        var unit = 1e-6
        while unit * 10 <= figure { unit *= 10 }
        let steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
        return unit * (steps.first { $0 * unit >= figure * (1 - 1e-9) } ?? 10)
    }

    /// The end in words: `12 %`, or `60`.
    var words: String { isShare ? Self.percent(end) : Int(end.rounded()).grouped }

    /// `12 %` for 0.12.
    static func percent(_ share: Double) -> String {
        let tenths = (share * 1000).rounded()
        let text = tenths.remainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))" : (tenths / 10).text(decimals: 1)
        return text + " %"
    }

    /// The length of a bar in hundredths of a percent of the scale, at most 10,000.
    func length(of figure: Double) -> Int { min(10_000, Int((figure / end * 10_000).rounded())) }

    /// True if a bar is longer than the scale, and is cut there.
    func cuts(_ figure: Double) -> Bool { figure > end * 1.0001 }
}

/// The scales of the bars of a page: columns of the same meaning have one.
struct BarScales {
    private var scales: [String: BarScale] = [:]

    init(of tables: some Sequence<ReportTable>) {
        var figures: [String: (all: [Double], isShare: Bool)] = [:]
        for table in tables {
            for (index, column) in table.columns.enumerated() where column.bars != nil {
                let shown = table.rows.compactMap { index < $0.cells.count ? $0.cells[index].length : nil }
                figures[column.scale, default: ([], table.hasShares(column: index))].all += shown
            }
        }
        for (name, (all, isShare)) in figures where all.contains(where: { $0 > 0 }) {
            scales[name] = BarScale(reaching: all, isShare: isShare)
        }
    }

    /// The scale of a column; `nil` where it has no bars.
    subscript(column: ReportTable.Column) -> BarScale? { column.bars == nil ? nil : scales[column.scale] }
}

extension ReportTable.Cell {
    /// The figure that a bar shows: a count, or a share from 0 to 1; `nil` for other cells.
    var length: Double? {
        switch self {
        case .number(let number): Double(number)
        case .share(let part, let whole): whole > 0 ? Double(part) / Double(whole) : nil
        case .text, .code, .name, .time, .seconds, .interval, .difference: nil
        }
    }
}
