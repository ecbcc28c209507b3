// The cost of reading without understanding: reads a file in blocks and counts its lines.
//
// usage: floor FILE THREADS
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { block_bytes = 1 << 18, most_threads = 64 };

struct part {
    int file;
    off_t start, end;
    size_t lines;
};

static size_t lines_in(const char *bytes, size_t count) {
    size_t lines = 0;
    const char *end = bytes + count;
    while (bytes < end && (bytes = memchr(bytes, '\n', end - bytes)) != NULL) {
        lines++;
        bytes++;
    }
    return lines;
}

static void *count_part(void *argument) {
    struct part *part = argument;
    char *block = malloc(block_bytes);
    if (block == NULL) exit(1);
    off_t offset = part->start;
    while (offset < part->end) {
        size_t wanted = part->end - offset < block_bytes ? (size_t)(part->end - offset) : block_bytes;
        ssize_t got = pread(part->file, block, wanted, offset);
        if (got <= 0) exit(1);
        part->lines += lines_in(block, got);
        offset += got;
    }
    free(block);
    return NULL;
}

int main(int count, char **arguments) {
    int threads = count == 3 ? atoi(arguments[2]) : 0;
    if (threads < 1 || threads > most_threads) {
        fputs("usage: floor FILE THREADS\n", stderr);
        return 3;
    }
    int file = open(arguments[1], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        perror(arguments[1]);
        return 2;
    }
    struct part parts[most_threads] = {0};
    pthread_t workers[most_threads];
    for (int index = 0; index < threads; index++) {
        parts[index].file = file;
        parts[index].start = status.st_size / threads * index;
        parts[index].end = index + 1 == threads ? status.st_size : status.st_size / threads * (index + 1);
        if (pthread_create(&workers[index], NULL, count_part, &parts[index]) != 0) return 1;
    }
    size_t lines = 0;
    for (int index = 0; index < threads; index++) {
        pthread_join(workers[index], NULL);
        lines += parts[index].lines;
    }
    printf("%zu\n", lines);
    return 0;
}
