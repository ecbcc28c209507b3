#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

// The form of a certificate's subject: as in RFC 2253, with letters beyond ASCII as they are.
static const unsigned long subject_flags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
