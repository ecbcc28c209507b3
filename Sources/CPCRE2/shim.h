// The 8-bit code unit is the one that UTF-8 text needs.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
