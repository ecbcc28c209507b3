// Reports to ThreadSanitizer a lock that it cannot see. Without the sanitizer, these do nothing.
#ifndef CTHREADSANITIZER_H
#define CTHREADSANITIZER_H

// The calling thread has taken the lock of this address: it sees what was done before the lock was last given back.
void thread_sanitizer_locked(const void *lock);

// The calling thread is about to give the lock of this address back.
void thread_sanitizer_unlocking(const void *lock);

#endif
