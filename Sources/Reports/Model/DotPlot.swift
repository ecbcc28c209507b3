/// Edits as dots between what they catch and what they block, with the account as it is as a ring.
struct DotPlot: Sendable {
    /// The subject of the plot, in a sentence.
    let title: String
    /// The words for the axis to the right.
    let across: String
    /// The words for the axis upwards.
    let up: String
    let dots: [Dot]

    /// A dot with its place on both axes.
    struct Dot: Sendable {
        let name: String
        let across: Int
        let up: Int
        let kind: Kind
    }

    /// The part of a dot, which decides its shape.
    enum Kind: Sendable {
        case now, chosen, other
    }
}
