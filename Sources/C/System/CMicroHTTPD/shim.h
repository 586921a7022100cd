#include <microhttpd.h>
#include <stddef.h>
#include <sys/socket.h>

/* Swift calls no variadic functions: these say for it which options there are.

   MHD_OPTION_LISTENING_ADDRESS_REUSE is not among them: without it the library sets SO_REUSEADDR, so that connections
   that a former process of this port left behind do not stop this process from listening; a live listener still does. With 0 it sets
   nothing; with 1 it sets SO_REUSEPORT, and two programs would share the port. */

static inline struct MHD_Daemon *rawmill_http_start(
    unsigned int flags, MHD_AccessHandlerCallback handler, MHD_NotifyConnectionCallback guest, void *context,
    const struct sockaddr *address, unsigned int threads, unsigned int connections, unsigned int idle_seconds, size_t memory_bytes)
{
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_NOTIFY_CONNECTION, guest, context,
        MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_bytes,
        MHD_OPTION_END);
}

/* The port that was bound; 0 where that cannot be known. */
static inline unsigned int rawmill_http_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/* The socket of a connection; -1 where that cannot be known. */
static inline int rawmill_http_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
