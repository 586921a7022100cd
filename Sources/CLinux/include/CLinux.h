/// System calls that glibc 2.36 has no function for, or only variadic ones Swift cannot import.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// openat2(2) with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS. Returns a descriptor, or -1 with errno set.
int rawmill_openat2_beneath(int directory, const char *path, uint64_t flags, uint64_t mode);
