/// The style of a page, where styles are let in. Without it the page reads as well: order, headings, tables and plots do not
/// depend on it.
enum PageStyle {
    /// The style sheet: one scale of sizes, and one colour each for what is better and what is worse.
    static let sheet: StaticString = """
        :root{color-scheme:light;--back:#fff;--card:#f5f6f8;--text:#1d2127;--muted:#5a626c;--line:#dde1e6;--neutral:#8a929c;\
        --worse:#b4420b;--better:#1f62a8;--tiny:.75rem;--small:.875rem;--large:1.25rem;--huge:1.75rem}
        @media screen{:root{color-scheme:light dark}}
        @media screen and (prefers-color-scheme:dark){:root{--back:#101317;--card:#191d23;--text:#e5e8ec;--muted:#a2abb6;\
        --line:#2d333b;--neutral:#7d8691;--worse:#ff9557;--better:#79b4f2}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0 auto;max-width:68rem;padding:2rem clamp(1rem,4vw,3rem) 4rem;background:var(--back);color:var(--text);\
        font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
        h1,h2,h3,b,strong{font-weight:600}
        h1{margin:0;font-size:var(--huge);line-height:1.25}
        h2{margin:3rem 0 .5rem;font-size:var(--large)}
        h3{margin:1.5rem 0 .25rem;font-size:1rem}
        p{margin:.25rem 0;max-width:46rem}
        .card p{max-width:none}
        a{color:inherit;text-underline-offset:.2em}
        :focus-visible{outline:3px solid var(--better);outline-offset:2px}
        header p,.muted,.more,small,summary,nav a{color:var(--muted)}
        .worse{color:var(--worse)}.better{color:var(--better)}
        .notice{margin:1rem 0;font-size:var(--large)}
        .card{margin:1.5rem 0;padding:1.25rem 1.5rem;background:var(--card);color:inherit;border-left:.3rem solid var(--neutral);\
        border-radius:.3rem}
        .card.worse{border-color:var(--worse)}.card.better{border-color:var(--better)}
        .verdict{margin:0 0 .5rem}
        .facts{display:grid;grid-template-columns:max-content 1fr;gap:0 .75rem;margin-bottom:.75rem}
        .facts:last-child{margin:0}
        .fact{display:grid;grid-template-columns:subgrid;grid-column:1/-1;align-items:baseline;max-width:none;margin:0}
        .fact b{text-align:right;font-size:var(--huge);line-height:1.4;font-variant-numeric:tabular-nums}
        .fact .plain{font-weight:400;color:var(--muted)}
        nav ul,.legend{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;margin:0;padding:0;list-style:none;font-size:var(--small)}
        summary{cursor:pointer}
        figure{margin:.75rem 0}
        ul{margin:.25rem 0}
        td ul{padding-left:1.25rem}
        .plot{display:block;max-width:60rem;overflow:visible}
        .plot g{font-family:inherit;font-size:var(--tiny)}
        rect.worse{fill:var(--worse)}rect.better{fill:var(--better)}rect.neutral{fill:var(--neutral)}
        .parts{columns:2 26rem;column-gap:3rem}
        .parts section{break-inside:avoid;overflow:hidden}
        .parts table{width:100%}
        .scroll{max-width:100%;overflow-x:auto;background:linear-gradient(90deg,var(--back) 1rem,#0000) 0/2rem 100% local,\
        linear-gradient(270deg,var(--back) 1rem,#0000) 100%/2rem 100% local,\
        linear-gradient(90deg,var(--line),#0000) 0/.6rem 100%,linear-gradient(270deg,var(--line),#0000) 100%/.6rem 100%;\
        background-repeat:no-repeat}
        table{position:relative;border-collapse:collapse;margin:.5rem 0}
        caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        th,td{padding:.35rem 1.25rem .35rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);\
        overflow-wrap:normal;font-weight:400}
        th:last-child,td:last-child{padding-right:0}
        thead th,thead td{color:var(--muted);font-size:var(--small);vertical-align:bottom}
        .figure{text-align:right;font-variant-numeric:tabular-nums}
        td.figure,.time{white-space:nowrap}
        td.zero{color:var(--muted)}
        small{font-size:var(--small)}
        .bar{margin-left:.4rem}.legend .bar{margin:0}
        .option{white-space:nowrap}
        @media print,(min-width:30.01rem){.parts th:not(:last-child),.parts td:not(:last-child){padding-right:.75rem}\
        th.bars{padding-right:calc(1.65rem + 64px)}.parts th.bars{padding-right:calc(1.15rem + 64px)}\
        th.bars:last-child{padding-right:calc(.65rem + 64px)}\
        th.intervals{padding-right:calc(1.5rem + 160px)}th.intervals:last-child{padding-right:calc(.25rem + 160px)}}
        code{font:.875em ui-monospace,monospace;user-select:all;white-space:pre-wrap}
        pre{margin:.25rem 0;padding:.5rem;white-space:pre-wrap;background:var(--card);font:.875rem/1.4 ui-monospace,monospace}
        @media screen{.aligned{white-space:pre;overflow-x:auto}}
        tr:target>*,section:target>h2,section:target>h3{background:var(--card)}
        @media screen and (max-width:30rem){td .bar{display:block;margin:.1rem 0 0 auto}\
        .interval{display:none}th,td{padding-right:.75rem}thead+tbody th{min-width:8rem}\
        td code{display:inline-block;min-width:8.5rem;line-height:1.5rem;vertical-align:top}.card{padding:1rem}\
        .facts,.fact{display:block}.fact{margin-bottom:.25rem}.fact b{margin-right:.25rem}}
        @media print{:root{font-size:10pt}body{max-width:none;padding:0;line-height:1.4}nav{display:none}\
        h2{margin-top:1.4rem}th,td{padding-top:.2rem;padding-bottom:.2rem}.parts{columns:auto}summary{list-style:none}\
        .scroll{overflow:visible;background:none}\
        details::details-content{content-visibility:visible;block-size:auto}figure,tr,.card{break-inside:avoid}\
        h2,h3{break-after:avoid}code{white-space:normal;overflow-wrap:anywhere}\
        .card{border:1px solid var(--neutral);border-left-width:.3rem}}

        """
}
