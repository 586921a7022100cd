/* The files of the web page, inside the program. */
#ifndef RAWMILL_PAGE_H
#define RAWMILL_PAGE_H
#include <stddef.h>

struct rawmill_page_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/* All files; their number is written to *count. */
const struct rawmill_page_file *rawmill_page_files(size_t *count);
#endif
