import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("RFC 7515, 7516, 7518, 7520: the standards' own tokens") struct StandardTokenTests {
    @Test("a printed token is verified by its key", arguments: StandardToken.all)
    func verifies(_ row: StandardToken) throws {
        let key = try row.tokenKey()
        let payload = try TokenVerifier(key: key).payload(of: row.token)
        expect(Base64.text(of: payload, .url), equals: row.payload)
        guard let publicKey = key.publicKey else { return }
        #expect(throws: Never.self) { try TokenVerifier(key: publicKey).payload(of: row.token) }
        expect(publicKey.isPrivate, equals: false)
    }

    @Test("without chance in it, a signature comes out as it is printed", arguments: StandardToken.all)
    func signs(_ row: StandardToken) throws {
        let key = try row.tokenKey()
        let input = Array("\(row.header).\(row.payload)".utf8)
        switch (key.material, row.algorithm.family) {
        case (.secret(let secret), .authentication(let hash)):
            let code = MessageAuthenticator(key: secret.bytes, hash: hash).code(of: input)
            expect(Base64.text(of: code, .url), equals: row.signature)
        case (.pair(let parts), .rsa(let scheme)), (.pair(let parts), .curve(_, let scheme)):
            let signature = try #require(AsymmetricKey(parts)?.sign(input, scheme))
            #expect(row.algorithm.isProbabilistic == (Base64.text(of: signature, .url) != row.signature))
            expect(signature.count, equals: Base64.bytes(of: row.signature, .url)?.count)
        default: Issue.record("no signature")
        }
    }

    @Test("a bit that changes anywhere makes it another token", arguments: StandardToken.all)
    func everyChangeShows(_ row: StandardToken) throws {
        let verifier = TokenVerifier(key: try row.tokenKey())
        let bytes = Array(row.token.utf8)
        for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
            var changed = bytes
            changed[index] ^= 1
            let token = String(decoding: changed, as: UTF8.self)
            #expect(throws: TokenError.self) { try verifier.payload(of: token) }
        }
    }

    @Test("RFC 7520, 5.7: the key of a content, wrapped by A256GCMKW") func wrapsAsPrinted() throws {
        let key = try #require(Base64.bytes(of: "qC57l_uxcm7Nm3K-ct4GFjx8tM1U8CZ0NLBvdQstiS8", .url))
        let contentKey = try #require(Base64.bytes(of: "UWxARpat23nL9ReIj4WG3D1ee9I4r-Mv5QLuFXdy_rE", .url))
        let vector = try #require(Base64.bytes(of: "KkYT0GX_2jHlfqN_", .url))
        let wrapped = AuthenticatedCipher.seal(contentKey, key: key, vector: vector)
        expect(Base64.text(of: wrapped.enciphered, .url), equals: "lJf3HbOApxMEBkCMOoTnnABxs_CvTWUmZQ2ElLvYNok")
        expect(Base64.text(of: wrapped.tag, .url), equals: "kfPduVQ3T3H6vnewt--ksw")
        let opened = AuthenticatedCipher.open(wrapped.enciphered, tag: wrapped.tag, key: key, vector: vector)
        expect(opened, equals: contentKey)
    }

    @Test("RFC 7516, A.1: a content, encrypted by A256GCM") func encryptsAsPrinted() throws {
        let key: [UInt8] = [
            177, 161, 244, 128, 84, 143, 225, 115, 63, 180, 3, 255, 107, 154, 212, 246, 138, 7, 110, 91, 112, 46, 34,
            105,
            47, 130, 203, 46, 122, 234, 64, 252,
        ]
        let text = Array("The true sign of intelligence is not knowledge but imagination.".utf8)
        let sealed = AuthenticatedCipher.seal(
            text, authenticating: Array("eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ".utf8), key: key,
            vector: try #require(Base64.bytes(of: "48V1_ALb6US04U3b", .url)))
        expect(
            Base64.text(of: sealed.enciphered, .url),
            equals: "5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6jiSdiwkIr3ajwQzaBtQD_A")
        expect(Base64.text(of: sealed.tag, .url), equals: "XFBoMYUZodetZdvTiFvSkQ")
    }

    @Test("all samples of the standards are there") func samplesAreComplete() {
        expect(StandardToken.all.count, equals: 8)
    }
}

/// A signed token that a standard prints, with its key.
struct StandardToken: LabelledRow {
    let label: String
    let algorithm: TokenAlgorithm
    /// The JSON Web Key without `alg`.
    let key: String
    let header: String
    let payload: String
    let signature: String

    var token: String { "\(header).\(payload).\(signature)" }

    /// The key with its algorithm.
    func tokenKey(id: String? = nil) throws -> TokenKey {
        let name = id.map { #","kid":"\#($0)""# } ?? ""
        return try TokenKey(jwk: #"{"alg":"\#(algorithm.rawValue)"\#(name),"# + key.dropFirst())
    }

    private static let joe =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    private static let frodo =
        "SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUg"
        + "cm9hZCwgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0"
        + "IGJlIHN3ZXB0IG9mZiB0by4"

    /// The private key of RFC 7520, 3.4.
    static let bilbo =
        #"{"kty":"RSA","n":"n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VE"#
        + #"iZQHz_AJmSCpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-"#
        + #"OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKn"#
        + #"S2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw","e":"AQAB","d":"bWUC9B-EFRIo8kpGfh0Zuy"#
        + #"GPvMNKvYWNtB_ikiH9k20eT-O1q_I78eiZkpXxXQ0UTEs2LsNRS-8uJbvQ-A1irkwMSMkK1J3XTGgdrhCku9gRldY7sNA_AKZGh-"#
        + #"Q661_42rINLRCe8W-nZ34ui_qOfkLnK9QWDDqpaIsA-bMwWWSDFu2MUBYwkHTMEzLYGqOe04noqeq1hExBTHBOBdkMXiuFhUq1BU"#
        + #"6l-DqEiWxqg82sXt2h-LMnT3046AOYJoRioz75tSUQfGCshWTBnP5uDjd18kKhyv07lhfSJdrPdM5Plyl21hsFf4L_mHCuoFau7g"#
        + #"dsPfHPxxjVOcOpBrQzwQ","p":"3Slxg_DwTXJcb6095RoXygQCAZ5RnAvZlno1yhHtnUex_fp7AZ_9nRaO7HX_-SFfGQeutao2T"#
        + #"DjDAWU4Vupk8rw9JR0AzZ0N2fvuIAmr_WCsmGpeNqQnev1T7IyEsnh8UMt-n5CafhkikzhEsrmndH6LxOrvRJlsPp6Zv8bUq0k","#
        + #""q":"uKE2dh-cTf6ERF4k4e_jy78GfPYUIaUyoSSJuBzp3Cubk3OCqs6grT8bR_cu0Dm1MZwWmtdqDyI95HrUeq3MP15vMMON8lH"#
        + #"TeZu2lmKvwqW7anV5UzhM1iZ7z4yMkuUwFWoBvyY898EXvRD-hdqRxHlSqAZ192zB3pVFJ0s7pFc","dp":"B8PVvXkvJrj2L-GY"#
        + #"Q7v3y9r6Kw5g9SahXBwsWUzp19TVlgI-YV85q1NIb1rxQtD-IsXXR3-TanevuRPRt5OBOdiMGQp8pbt26gljYfKU_E9xn-RULHz0"#
        + #"-ed9E9gXLKD4VGngpz-PfQ_q29pk5xWHoJp009Qf1HvChixRX59ehik","dq":"CLDmDGduhylc9o7r84rEUVn7pzQ6PF83Y-iBZ"#
        + #"x5NT-TpnOZKF1pErAMVeKzFEl41DlHHqqBLSM0W1sOFbwTxYWZDm6sI6og5iTbwQGIC3gnJKbi_7k_vJgGHwHxgPaX2PnvP-zyEk"#
        + #"DERuf-ry4c_Z11Cq9AqC2yeL6kdKT1cYF8","qi":"3PiqvXQN0zwMeE-sBvZgi289XP9XCQF3VWqPzMKnIgQp7_Tugo6-NZBKCQ"#
        + #"sMf3HaEGBjTVJs_jcK8-TRXvaKe-7ZMaQj8VfBdYkssbu0NKDDhjJ-GtiseaDVWt7dcH0cfwxgFUHpQh7FoCrjFJ6h6ZEpMF6xmu"#
        + #"js4qMpPz8aaI4"}"#

    /// The examples of RFC 7515 and RFC 7520 with an algorithm of this service.
    static let all = [
        StandardToken(
            label: "RFC 7515, A.1", algorithm: .hs256,
            key:
                #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9"#
                + #"CAow"}"#,
            header: "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9",
            payload: joe,
            signature: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
        StandardToken(
            label: "RFC 7515, A.2", algorithm: .rs256,
            key:
                #"{"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPM"#
                + #"EzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5"#
                + #"rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-D"#
                + #"WNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB","d":"Eq5xpGnNCivDflJsRQBXHx"#
                + #"1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0BkTGoV"#
                + #"En2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2"#
                + #"QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjncz"#
                + #"T0QU91p1DhOVRuOopznQ","p":"4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3K"#
                + #"hooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc","#
                + #""q":"uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_Y"#
                + #"wD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc","dp":"BwKfV3Akq5_MFZDF"#
                + #"ZCnW-wzl-CCo83WoZvnLQwCTeDv8uzluRSnm71I3QCLdhrqE2e9YkxvuxdBfpT_PI7Yz-FOKnu1R6HsJeDCjn12Sk3vmAktV2zb3"#
                + #"4MCdy7cpdTh_YVr7tss2u6vneTwrA86rZtu5Mbr1C1XsmvkxHQAdYo0","dq":"h_96-mK1R_7glhsum81dZxjTnYynPbZpHziZj"#
                + #"eeHcXYsXaaMwkOlODsWa7I9xXDoRwbKgB719rrmI2oKr6N3Do9U0ajaHF-NKJnwgjMd2w9cjz3_-kyNlxAr2v4IKhGNpmM5iIgOS"#
                + #"1VZnOZ68m6_pbLBSp3nssTdlqvd0tIiTHU","qi":"IYd7DHOhrWvxkwPQsRM2tOgrjbcrfvtQJipd-DlcxyVuuM9sQLdgjVk2oy"#
                + #"26F0EmpScGLq2MowX7fhd_QJQ3ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp_gh6A5603k2-ZQwVK"#
                + #"0JKSHuLFkuQ3U"}"#,
            header: "eyJhbGciOiJSUzI1NiJ9",
            payload: joe,
            signature:
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9"
                + "uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB"
                + "_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq"
                + "Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"),
        StandardToken(
            label: "RFC 7515, A.3", algorithm: .es256,
            key:
                #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue6"#
                + #"59LNpXW6pCyStikYjKIWI5a0","d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}"#,
            header: "eyJhbGciOiJFUzI1NiJ9",
            payload: joe,
            signature: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"),
        StandardToken(
            label: "RFC 7515, A.4", algorithm: .es512,
            key:
                #"{"kty":"EC","crv":"P-521","x":"AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jS"#
                + #"fS9tsz4qUxcWceqwQGk","y":"ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh"#
                + #"9ubmf63e3kyMj2","d":"AY5pb7A0UFiB3RELSD64fTLOSV_jazdF7fLYyuTw8lOfRhWg6Y6rUrPAxerEzgdRhajnu0ferB0d53v"#
                + #"M9mE15j2C"}"#,
            header: "eyJhbGciOiJFUzUxMiJ9",
            payload: "UGF5bG9hZA",
            signature:
                "AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCA"
                + "PZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn"),
        StandardToken(
            label: "RFC 7520, 4.1", algorithm: .rs256,
            key: bilbo,
            header: "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
            payload: frodo,
            signature:
                "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi8"
                + "4wnB-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocS"
                + "adnHXFxnt8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJu"
                + "shZ41Axf_fcIe8u9ipH84ogoree7vjbU5y18kDquDg"),
        StandardToken(
            label: "RFC 7520, 4.2", algorithm: .ps384,
            key: bilbo,
            header: "eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
            payload: frodo,
            signature:
                "cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6O8TTB5dDDItl"
                + "lVo6_1OLPpcbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqiVJRmBqrYRXe8P_ijQ7p8Vdz0"
                + "TTrxUeT3lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0"
                + "uTOcbH510a6GYmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw"),
        StandardToken(
            label: "RFC 7520, 4.3", algorithm: .es512,
            key:
                #"{"kty":"EC","crv":"P-521","x":"AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekW"#
                + #"F-7ytDyRXYgCF5cj0Kt","y":"AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX"#
                + #"9cwlGfP-HqHZR1","d":"AAhRON2r9cqXX1hg-RoI6R1tX5p2rUAYdmpHZoC1XNM56KtscrX6zbKipQrCW9CGZH3T4ubpnoTKLDY"#
                + #"J_fF3_rJt"}"#,
            header: "eyJhbGciOiJFUzUxMiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
            payload: frodo,
            signature:
                "AE_R_YZCChjn4791jSQCrdPZCNYqHXCTZH0-JZGYNlaAjP2kqaluUIIUnC9qvbu9Plon7KRTzoNEuT4Va2cmL1eJAQy3mtPBu_u_"
                + "sDDyYjnAMDxXPn7XrT0lw-kvAD890jl8e2puQens_IEKBpHABlsbEPX6sFY8OcGDqoRuBomu9xQ2"),
        StandardToken(
            label: "RFC 7520, 4.4", algorithm: .hs256,
            key: #"{"kty":"oct","k":"hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg"}"#,
            header: "eyJhbGciOiJIUzI1NiIsImtpZCI6IjAxOGMwYWU1LTRkOWItNDcxYi1iZmQ2LWVlZjMxNGJjNzAzNyJ9",
            payload: frodo,
            signature: "s0h6KThzkfBBBkLspW1h84VsJZFTsPPqMDA7g1Md7p0"),
    ]
}

@Suite("RFC 4648 Base64") struct Base64Tests {
    @Test("every length comes back, in both alphabets") func roundTrip() throws {
        for count in 0..<130 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            expect(Base64.text(of: bytes), equals: Data(bytes).base64EncodedString())
            for alphabet in [Base64.Alphabet.standard, .url] {
                expect(Base64.bytes(of: Base64.text(of: bytes, alphabet), alphabet), equals: bytes)
            }
        }
        expect(Base64.text(of: [0xFB, 0xFF], .url), equals: "-_8")
        expect(Base64.text(of: [0xFB, 0xFF]), equals: "+/8=")
    }

    @Test(
        "one text for one list of bytes",
        arguments: ["A", "AA=", "AA==", "AB", "AAB", "A A", "A\n", "+/8", "AAAA=", "é"])
    func strictURL(text: String) { #expect(Base64.bytes(of: text, .url) == nil) }

    @Test(
        "with padding, and just as much as is needed",
        arguments: ["AA", "AA=", "A===", "AAA", "AB==", "AAB=", "-_8=", "AAAA====", "=AAA", "AA=A"])
    func strictStandard(text: String) { #expect(Base64.bytes(of: text) == nil) }
}
