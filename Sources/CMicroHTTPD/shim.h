#include <microhttpd.h>
#include <pthread.h>

// Swift cannot call functions with variable arguments; these call them with the arguments that we need.

/// Starts a server on a socket that listens. The library closes the socket in the end.
///
/// Returns NULL where it cannot be started.
static inline struct MHD_Daemon *http_server_start(
    int listening, unsigned int threads, unsigned int connections, unsigned int idle_seconds, size_t memory,
    MHD_LogCallback log, void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notify,
    void *context)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, context,
        MHD_OPTION_EXTERNAL_LOGGER, log, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening,
        MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, notify, context,
        MHD_OPTION_END);
}

/// The socket of a connection; -1 where there is none.
static inline int http_connection_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// True if a connection began, rather than ended.
static inline _Bool http_connection_began(enum MHD_ConnectionNotificationCode code)
{
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// The bytes of the head of a request, from its method to its empty line; 0 where they are not known.
static inline size_t http_head_size(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// Puts a header `Host` before those that are still to come.
static inline void http_add_host(struct MHD_Connection *connection)
{
    MHD_set_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST, "");
}

/// A number of the thread that calls it, which no other one has.
static inline unsigned long http_thread(void)
{
    return (unsigned long)pthread_self();
}
