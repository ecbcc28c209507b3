/// The parts of a token in its compact form (RFC 7515, 7.1; RFC 7516, 7.1).
public enum TokenPart: String, Hashable, Sendable {
    case header, claims, signature
    case key = "encrypted key"
    case vector = "initialisation vector"
    case content
    case tag = "authentication tag"
}
