@testable import PolicyEngine

/// A token put together by hand, correctly signed with HS256 over whatever its parts are.
struct Forgery {
    var header = #"{"alg":"HS256","typ":"JWT"}"#
    var claims = #"{"exp":2000000000}"#
    var key = SampleKey.account.bytes

    var token: String { "\(input).\(signature)" }

    var input: String { "\(Self.encoded(header)).\(Self.encoded(claims))" }

    var signature: String {
        Base64.text(of: MessageAuthenticator(key: key, hash: .sha256).code(of: Array(input.utf8)), .url)
    }

    static func encoded(_ text: String) -> String { Base64.text(of: Array(text.utf8), .url) }
}
