/// The style of a page, if styles are let in. Without it the page reads as well: order, headings, tables and plots do not
/// depend on it.
enum PageStyle {
    /// The style sheet.
    static let sheet: StaticString = """
        :root{color-scheme:light;--back:#fff;--card:#f6f8fa;--text:#1f2328;--muted:#57606a;--line:#d0d7de;--link:#0550ae;\
        --good:#116329;--bad:#a40e26}
        @media screen{:root{color-scheme:light dark}}
        @media screen and (prefers-color-scheme:dark){:root{--back:#0d1117;--card:#161b22;--text:#e6edf3;--muted:#9da7b1;--line:#30363d;\
        --link:#79b8ff;--good:#56d364;--bad:#ff7b72}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0 auto;max-width:70rem;padding:1.5rem clamp(1rem,4vw,3rem) 4rem;background:var(--back);color:var(--text);\
        font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
        h1{margin:0 0 .5rem;color:var(--muted);font-size:1rem;font-weight:600}
        h2{margin:2.5rem 0 .5rem;font-size:1.3rem}
        h3{margin:1.5rem 0 .5rem;font-size:1rem}
        p{margin:.25rem 0;max-width:60rem}
        a{color:var(--link)}
        a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
        .notice{margin:.5rem 0 1rem;font-size:1.4rem;line-height:1.35}
        .notice strong{font-weight:600}
        .good{color:var(--good);font-weight:600}
        .bad{color:var(--bad);font-weight:600}
        nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:.5rem 0 0;list-style:none}
        summary{cursor:pointer;color:var(--link)}
        figure{margin:.75rem 0}
        ul{margin:.25rem 0}
        td ul{padding-left:1.25rem}
        .plot{display:block;max-width:60rem;overflow:visible}
        .legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.25rem 0;padding:0;list-style:none}
        .scroll{max-width:100%;overflow-x:auto}
        table{position:relative;border-collapse:collapse;margin:.5rem 0}
        caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        th,td{padding:.3rem .9rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);\
        overflow-wrap:normal;font-weight:400}
        thead th,thead td{color:var(--muted);border-bottom-width:2px;vertical-align:bottom}
        .figure{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        .bar{margin-left:.6rem;vertical-align:baseline}.legend .bar{margin-left:0}
        code{font:.9em ui-monospace,monospace;user-select:all;white-space:pre-wrap}
        pre{margin:.25rem 0;padding:.5rem;overflow-x:auto;background:var(--card);font:.85rem/1.4 ui-monospace,monospace}
        .more{color:var(--muted)}
        tr:target>*,section:target>h2,section:target>h3{background:var(--card)}
        @media print{body{max-width:none;padding:0;font-size:10pt}nav{display:none}.scroll{overflow:visible}\
        details::details-content{content-visibility:visible;block-size:auto}figure,tr{break-inside:avoid}\
        h2,h3{break-after:avoid}code{white-space:normal;overflow-wrap:anywhere}}

        """
}
