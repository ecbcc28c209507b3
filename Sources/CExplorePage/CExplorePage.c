#include "CExplorePage.h"

// The compiler knows #embed in every version of C, but says that it comes from the newest.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const explore_page_file files[] = {
    {"index.html", (const unsigned char[]){
#embed "../Explore/Page/index.html" suffix(, 0)
    }},
    {"account.js", (const unsigned char[]){
#embed "../Explore/Page/account.js" suffix(, 0)
    }},
    {"answer.js", (const unsigned char[]){
#embed "../Explore/Page/answer.js" suffix(, 0)
    }},
    {"chips.js", (const unsigned char[]){
#embed "../Explore/Page/chips.js" suffix(, 0)
    }},
    {"command-line.js", (const unsigned char[]){
#embed "../Explore/Page/command-line.js" suffix(, 0)
    }},
    {"commands.js", (const unsigned char[]){
#embed "../Explore/Page/commands.js" suffix(, 0)
    }},
    {"devices.js", (const unsigned char[]){
#embed "../Explore/Page/devices.js" suffix(, 0)
    }},
    {"dock.js", (const unsigned char[]){
#embed "../Explore/Page/dock.js" suffix(, 0)
    }},
    {"edits.js", (const unsigned char[]){
#embed "../Explore/Page/edits.js" suffix(, 0)
    }},
    {"element.js", (const unsigned char[]){
#embed "../Explore/Page/element.js" suffix(, 0)
    }},
    {"explanation.js", (const unsigned char[]){
#embed "../Explore/Page/explanation.js" suffix(, 0)
    }},
    {"explore.css", (const unsigned char[]){
#embed "../Explore/Page/explore.css" suffix(, 0)
    }},
    {"filters.js", (const unsigned char[]){
#embed "../Explore/Page/filters.js" suffix(, 0)
    }},
    {"flags.js", (const unsigned char[]){
#embed "../Explore/Page/flags.js" suffix(, 0)
    }},
    {"history.js", (const unsigned char[]){
#embed "../Explore/Page/history.js" suffix(, 0)
    }},
    {"hit.js", (const unsigned char[]){
#embed "../Explore/Page/hit.js" suffix(, 0)
    }},
    {"labels.js", (const unsigned char[]){
#embed "../Explore/Page/labels.js" suffix(, 0)
    }},
    {"main.js", (const unsigned char[]){
#embed "../Explore/Page/main.js" suffix(, 0)
    }},
    {"plot.js", (const unsigned char[]){
#embed "../Explore/Page/plot.js" suffix(, 0)
    }},
    {"reasons.js", (const unsigned char[]){
#embed "../Explore/Page/reasons.js" suffix(, 0)
    }},
    {"server.js", (const unsigned char[]){
#embed "../Explore/Page/server.js" suffix(, 0)
    }},
    {"signals.js", (const unsigned char[]){
#embed "../Explore/Page/signals.js" suffix(, 0)
    }},
    {"table.js", (const unsigned char[]){
#embed "../Explore/Page/table.js" suffix(, 0)
    }},
    {"text.js", (const unsigned char[]){
#embed "../Explore/Page/text.js" suffix(, 0)
    }},
    {"time.js", (const unsigned char[]){
#embed "../Explore/Page/time.js" suffix(, 0)
    }},
    {"tools.js", (const unsigned char[]){
#embed "../Explore/Page/tools.js" suffix(, 0)
    }},
    {"working.js", (const unsigned char[]){
#embed "../Explore/Page/working.js" suffix(, 0)
    }},
};

const explore_page_file *explore_page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
