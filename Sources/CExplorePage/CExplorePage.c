#include "CExplorePage.h"

// The compiler knows #embed in every version of C, but says that it comes from the newest.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../Explore/Page/index.html"
};
static const unsigned char account_js[] = {
#embed "../Explore/Page/account.js"
};
static const unsigned char answer_js[] = {
#embed "../Explore/Page/answer.js"
};
static const unsigned char command_line_js[] = {
#embed "../Explore/Page/command-line.js"
};
static const unsigned char commands_js[] = {
#embed "../Explore/Page/commands.js"
};
static const unsigned char devices_js[] = {
#embed "../Explore/Page/devices.js"
};
static const unsigned char edits_js[] = {
#embed "../Explore/Page/edits.js"
};
static const unsigned char element_js[] = {
#embed "../Explore/Page/element.js"
};
static const unsigned char explanation_js[] = {
#embed "../Explore/Page/explanation.js"
};
static const unsigned char explore_css[] = {
#embed "../Explore/Page/explore.css"
};
static const unsigned char filters_js[] = {
#embed "../Explore/Page/filters.js"
};
static const unsigned char history_js[] = {
#embed "../Explore/Page/history.js"
};
static const unsigned char hit_js[] = {
#embed "../Explore/Page/hit.js"
};
static const unsigned char main_js[] = {
#embed "../Explore/Page/main.js"
};
static const unsigned char plot_js[] = {
#embed "../Explore/Page/plot.js"
};
static const unsigned char server_js[] = {
#embed "../Explore/Page/server.js"
};
static const unsigned char text_js[] = {
#embed "../Explore/Page/text.js"
};
static const unsigned char time_js[] = {
#embed "../Explore/Page/time.js"
};
static const unsigned char tools_js[] = {
#embed "../Explore/Page/tools.js"
};

#define FILE(name, content) {name, content, sizeof content}

static const explore_page_file files[] = {
    FILE("index.html", index_html),
    FILE("account.js", account_js),
    FILE("answer.js", answer_js),
    FILE("command-line.js", command_line_js),
    FILE("commands.js", commands_js),
    FILE("devices.js", devices_js),
    FILE("edits.js", edits_js),
    FILE("element.js", element_js),
    FILE("explanation.js", explanation_js),
    FILE("explore.css", explore_css),
    FILE("filters.js", filters_js),
    FILE("history.js", history_js),
    FILE("hit.js", hit_js),
    FILE("main.js", main_js),
    FILE("plot.js", plot_js),
    FILE("server.js", server_js),
    FILE("text.js", text_js),
    FILE("time.js", time_js),
    FILE("tools.js", tools_js),
};

const explore_page_file *explore_page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
