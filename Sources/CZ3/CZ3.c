#include "CZ3.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

const struct z3_functions *z3_load(const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return NULL;
    struct z3_functions *functions = malloc(sizeof *functions);
    bool is_whole = functions != NULL;
#define Z3_FIND(name) \
    void *name = is_whole ? dlsym(handle, "Z3_" #name) : NULL; \
    is_whole = name != NULL; \
    if (is_whole) functions->name = (__typeof__(functions->name))name;
    Z3_FUNCTIONS(Z3_FIND)
#undef Z3_FIND
    if (is_whole) return functions;
    free(functions);
    dlclose(handle);
    return NULL;
}
