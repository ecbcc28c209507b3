#include "CSystem.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int terminal_columns(int descriptor) {
    struct winsize size = {0};
    return isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
