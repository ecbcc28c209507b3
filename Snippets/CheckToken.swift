// Checks a token as a backend written in Swift would: signature, age, and the session that it is bound to.

import PolicyEngine

// From `scenario approov … secret -getJWK secret.jwk`, or the public keys of `keyset -getJWKS keys.jwks`.
let key = try TokenKey(
    jwk: #"{"kty":"oct","use":"sig","alg":"HS256","k":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}"#)
let verifier = TokenVerifier(key: key)

/// True if a request may pass.
func isAllowed(_ token: String, session: String, at now: Instant) -> Bool {
    do throws(TokenError) {
        let claims = try verifier.claims(of: token, at: now)
        // Tokens of the failover are bound to nothing.
        return claims.isBound(to: session) ?? true
    } catch {
        print("refused: \(error)")
        return false
    }
}

var claims = TokenClaims(expiry: Instant(secondsSinceEpoch: 1_595_502_953))
claims.dataHash = TokenClaims.hash(of: "session-1")
let signer = try TokenSigner(key: key)

print(isAllowed(signer.token(claims.json), session: "session-1", at: Instant(secondsSinceEpoch: 1_595_502_643)))
// true
print(isAllowed(signer.token(claims.json), session: "session-2", at: Instant(secondsSinceEpoch: 1_595_502_643)))
// false
print(isAllowed(signer.token(claims.json, isValid: false), session: "session-1", at: claims.expiry + -1))
// refused: it is not correctly signed
// false

// The service knows the keys of the account, and so reads a token whatever its age, and the form that apps may log.
let account = Account(name: "test-account")
var minter = try TokenMinter(account: account, domain: "api.example.com")
let token = minter.token(claims, isValid: false)
let check = try TokenCheck(token, account: account, at: claims.expiry + 60)
print(check.passed, check.isExpired == true, check.claims?.isBound(to: "session-1") == true)
// false true true
print(try LoggableToken.text(of: token))
// {"exp":1595502953,"pay":"…","sip":"…"}
