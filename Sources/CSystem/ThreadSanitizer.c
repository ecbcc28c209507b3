#include "CSystem.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER
#endif
#endif

#ifdef HAS_THREAD_SANITIZER
void __tsan_acquire(void *address);
void __tsan_release(void *address);

void thread_sanitizer_locked(const void *lock) { __tsan_acquire((void *)lock); }
void thread_sanitizer_unlocking(const void *lock) { __tsan_release((void *)lock); }
#else
void thread_sanitizer_locked(const void *lock) { (void)lock; }
void thread_sanitizer_unlocking(const void *lock) { (void)lock; }
#endif
