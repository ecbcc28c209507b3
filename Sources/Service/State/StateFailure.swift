internal import Documents

/// Why the state of a service cannot be kept or read.
package enum StateFailure: DescribedError, Hashable {
    /// A name that SQLite takes for something else than a file.
    case badName(String)
    /// Others than the owner may read the file, or change it.
    case readable(String)
    /// The file is none of ours.
    case noState
    /// It was written by another version.
    case otherForm(Int)
    /// It is that of another account, or of the account as it was.
    case otherAccount
    /// Another process uses it.
    case inUse
    /// Something in it makes no sense.
    case unsound(String)
    /// The system or SQLite refuses, in its words.
    case refused(String)

    package var description: String {
        switch self {
        case .badName(let name): "\(name.quoted) is not a file name that can be used here"
        case .readable(let path): "others may read \(path.quoted), and it contains keys"
        case .noState: "the file is not the state of a service"
        case .otherForm(let form): "the state has the form \(form), which this version does not read"
        case .otherAccount: "the state belongs to another account, or to the account before it was edited"
        case .inUse: "another process uses the state"
        case .unsound(let what): "the state is damaged: \(what)"
        case .refused(let reason): "the state cannot be written: \(reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .otherAccount: "decisions depend on the account; begin with a new file"
        case .noState, .unsound: "begin with a new file"
        case .badName: "a path such as ./state"
        case .readable: "`chmod 600` leaves it to its owner"
        case .otherForm, .inUse, .refused: nil
        }
    }
}
