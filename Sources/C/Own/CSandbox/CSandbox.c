#define _GNU_SOURCE
#include "CSandbox.h"
#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

int rawmill_thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

void rawmill_use_utc(void) {
    setenv("TZ", "UTC0", 1);
    tzset();
}

int rawmill_set_limit(enum rawmill_limit limit, uint64_t value) {
    static const int resources[] = {
        [rawmill_limit_core] = RLIMIT_CORE,        [rawmill_limit_address_space] = RLIMIT_AS,
        [rawmill_limit_file_size] = RLIMIT_FSIZE,  [rawmill_limit_descriptors] = RLIMIT_NOFILE,
        [rawmill_limit_processes] = RLIMIT_NPROC,
    };
    struct rlimit now;
    if (getrlimit(resources[limit], &now) != 0) return -1;
    if (value > now.rlim_max) value = now.rlim_max;
    struct rlimit lower = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resources[limit], &lower);
}

uint64_t rawmill_process_count(void) {
    struct sysinfo facts;
    return sysinfo(&facts) == 0 ? facts.procs : 0;
}

int rawmill_set_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int rawmill_drop_capabilities(void) {
    // Requires a capability; without it, no-new-privileges makes the bounding set irrelevant anyway.
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) break;
    }
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) return -1;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct now[_LINUX_CAPABILITY_U32S_3], none[_LINUX_CAPABILITY_U32S_3];
    memset(now, 0, sizeof now);
    memset(none, 0, sizeof none);
    // A service manager that starts a process without capabilities may also forbid capset.
    if (syscall(SYS_capget, &header, now) == 0 && memcmp(now, none, sizeof now) == 0) return 0;
    return (int)syscall(SYS_capset, &header, none);
}

// <linux/landlock.h> of Debian 12 ends at version 2, but kernels are newer. These are the kernel's own, stable numbers.
enum {
    landlock_create_ruleset = 444,
    landlock_restrict_self = 446,
    landlock_version_flag = 1,
};

struct landlock_ruleset {
    uint64_t handled_files;
    uint64_t handled_network;
    uint64_t scoped;
};

int rawmill_landlock_version(void) {
    long version = syscall(landlock_create_ruleset, NULL, 0, landlock_version_flag);
    return version > 0 ? (int)version : 0;
}

// File rights by version: 13 in the first, then REFER, TRUNCATE and IOCTL_DEV one by one.
static uint64_t file_rights(int version) {
    int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (1ull << count) - 1;
}

int rawmill_landlock_deny_all(int version) {
    struct landlock_ruleset rules = {
        .handled_files = file_rights(version),
        // BIND_TCP and CONNECT_TCP.
        .handled_network = version >= 4 ? 3 : 0,
        // ABSTRACT_UNIX_SOCKET and SIGNAL.
        .scoped = version >= 6 ? 3 : 0,
    };
    // Handled rights without a rule are denied.
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    long set = syscall(landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return -1;
    long result = syscall(landlock_restrict_self, (int)set, 0);
    int error = errno;
    close((int)set);
    errno = error;
    return (int)result;
}

int rawmill_has_seccomp(void) {
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}
