// The files of the page that `scenario explore` shows, as parts of the command. C takes a file in as it is; as a Swift array
// of numbers, which the package manager would write, they took five times as long to compile as the rest of the module.
#ifndef CEXPLOREPAGE_H
#define CEXPLOREPAGE_H

#include <stddef.h>

/// A file of the page: two texts that end with a zero.
typedef struct {
    const char *name;
    const unsigned char *content;
} explore_page_file;

/// All files and their number; the first is the page itself. They live as long as the process.
const explore_page_file *explore_page_files(size_t *count);

#endif
