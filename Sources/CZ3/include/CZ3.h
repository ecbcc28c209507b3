// Z3, the solver behind `prove`. Its library is larger than all others together and no other command needs it, so that it is
// loaded where it is first needed. The header of Z3 is needed to build.
#ifndef CZ3_H
#define CZ3_H

#include <z3.h>

// The functions that are used, each by its name without `Z3_`.
#define Z3_FUNCTIONS(FUNCTION) \
    FUNCTION(mk_config) FUNCTION(del_config) FUNCTION(mk_context) FUNCTION(del_context) FUNCTION(set_error_handler) \
    FUNCTION(mk_solver_for_logic) FUNCTION(solver_inc_ref) FUNCTION(solver_dec_ref) FUNCTION(solver_assert) \
    FUNCTION(solver_push) FUNCTION(solver_pop) FUNCTION(solver_check) FUNCTION(solver_get_model) \
    FUNCTION(solver_get_reason_unknown) FUNCTION(solver_set_params) FUNCTION(model_inc_ref) FUNCTION(model_dec_ref) \
    FUNCTION(model_eval) FUNCTION(get_bool_value) FUNCTION(mk_params) FUNCTION(params_inc_ref) FUNCTION(params_dec_ref) \
    FUNCTION(params_set_uint) FUNCTION(params_set_bool) FUNCTION(mk_string_symbol) FUNCTION(mk_int_symbol) \
    FUNCTION(mk_bool_sort) FUNCTION(mk_const) FUNCTION(mk_true) FUNCTION(mk_false) FUNCTION(mk_not) FUNCTION(mk_and) \
    FUNCTION(mk_or) FUNCTION(mk_pble)

struct z3_functions {
#define Z3_MEMBER(name) __typeof__(Z3_##name) *_Nonnull name;
    Z3_FUNCTIONS(Z3_MEMBER)
#undef Z3_MEMBER
};

// Loads a library by its name or path. Returns its functions, which stay for as long as the process, or null where there is no
// such library, or where it lacks a function.
const struct z3_functions *_Nullable z3_load(const char *_Nonnull library);

#endif
