#include "CSystem.h"

#include <pthread.h>

int plain_thread_start(void *(*run)(void *), void *context, uintptr_t *thread) {
    pthread_t started;
    int failure = pthread_create(&started, NULL, run, context);
    if (failure == 0) *thread = (uintptr_t)started;
    return failure;
}

void plain_thread_detach(uintptr_t thread) { pthread_detach((pthread_t)thread); }

void plain_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }
