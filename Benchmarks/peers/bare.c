/* A handler of libmicrohttpd that does nothing but answer: what `scenario serve` can at best reach. */
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *part, size_t *count, void **receipt)
{
    (void)context, (void)url, (void)method, (void)version, (void)part;
    if (*receipt == NULL) {
        *receipt = connection;
        return MHD_YES;
    }
    if (*count > 0) {
        *count = 0;
        return MHD_YES;
    }
    /* As long as what the service answers. */
    static char body[700];
    memset(body, ' ', sizeof body);
    struct MHD_Response *response = MHD_create_response_from_buffer(sizeof body, body, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

int main(void)
{
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), MHD_OPTION_END);
    if (daemon == NULL) return 1;
    printf("listening on http://127.0.0.1:%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    pause();
}
