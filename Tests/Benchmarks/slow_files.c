// Shows a folder as a file server far away would: each request is answered after a while, however many come at once.
// Read-only. Needs libfuse 3 (libfuse3-dev); see latency.py.
// usage: slow_files FOLDER MILLISECONDS MOUNTPOINT
#define FUSE_USE_VERSION 34
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static struct timespec delay;

static const char *real_path(const char *path, char *space) {
    snprintf(space, PATH_MAX, "%s%s", folder, path);
    return space;
}

static int answered(int result) {
    int error = result < 0 ? -errno : result;
    nanosleep(&delay, NULL);
    return error;
}

static int get_facts(const char *path, struct stat *facts, struct fuse_file_info *info) {
    (void)info;
    char space[PATH_MAX];
    return answered(lstat(real_path(path, space), facts));
}

static int list(
    const char *path, void *entries, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *info,
    enum fuse_readdir_flags flags) {
    (void)info, (void)flags;
    char space[PATH_MAX];
    DIR *opened = opendir(real_path(path, space));
    if (!opened) return -errno;
    struct dirent *entry;
    struct stat facts;
    // With the facts of each, as NFS (READDIRPLUS) and SMB have it. The library hands them on only where entries have places.
    for (off_t place = 1; (entry = readdir(opened)); place++) {
        if (place <= offset) continue;
        if (fstatat(dirfd(opened), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (fill(entries, entry->d_name, &facts, place, FUSE_FILL_DIR_PLUS)) break;
    }
    closedir(opened);
    return answered(0);
}

static int open_file(const char *path, struct fuse_file_info *info) {
    char space[PATH_MAX];
    int file = open(real_path(path, space), O_RDONLY);
    if (file < 0) return -errno;
    info->fh = (uint64_t)file;
    // As clients of file servers do: what was read stays while the file does not change.
    info->keep_cache = 1;
    return answered(0);
}

static int read_file(const char *path, char *bytes, size_t count, off_t offset, struct fuse_file_info *info) {
    (void)path;
    return answered((int)pread((int)info->fh, bytes, count, offset));
}

static int close_file(const char *path, struct fuse_file_info *info) {
    (void)path;
    return close((int)info->fh);
}

// Many requests are on their way at once, each of a megabyte, as with NFS.
static void *begin(struct fuse_conn_info *connection, struct fuse_config *config) {
    config->kernel_cache = 1;
    config->entry_timeout = config->attr_timeout = 3;
    connection->max_background = 256;
    connection->congestion_threshold = 256;
    connection->max_read = 1 << 20;
    return NULL;
}

static const struct fuse_operations operations = {
    .getattr = get_facts, .readdir = list, .open = open_file, .read = read_file, .release = close_file, .init = begin};

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: slow_files FOLDER MILLISECONDS MOUNTPOINT\n");
        return 64;
    }
    folder = realpath(arguments[1], NULL);
    if (!folder) return perror(arguments[1]), 66;
    long nanoseconds = (long)(atof(arguments[2]) * 1e6);
    delay = (struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    char *options[] = {arguments[0], "-f", "-o", "ro,max_read=1048576,max_threads=512,clone_fd", arguments[3], NULL};
    return fuse_main(5, options, &operations, NULL);
}
