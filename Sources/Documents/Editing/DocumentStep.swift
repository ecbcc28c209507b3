/// A step from a value of a document to one inside it.
package enum DocumentStep: Hashable, Sendable {
    /// To what a key of a mapping holds.
    case key(String)
    /// To an item of a list, counted from 0.
    case item(Int)
}
