/// The style of a page, where styles are let in. Without it the page reads as well: order, headings, tables and plots do not
/// depend on it.
///
/// A grid of 1,120 pixels in which blocks are whole or half, four sizes of letters, and a colour each for what is worse, what is
/// better and what is neither; alarm is for limits that are exceeded and verdicts that are bad. Every colour on its ground has a
/// contrast of at least 4.5 to 1, and of bars of 3 to 1.
package enum PageStyle {
    /// The rules that pages of reports share with the page of `explore`: colours, sizes, faces, the grid, and tables.
    package static let base: StaticString = """
        :root{color-scheme:light;--bg:#fff;--wash:#f5f6f8;--rule:#e3e6ea;--line:#bcc3cc;--ink:#14181e;--muted:#59626f;
         --neutral:#828c9b;--worse:#b4470b;--better:#1a62b5;--alarm:#b0142e;--alarm-fill:#b0142e;--better-fill:#1a62b5;--on-better:#fff;
         --s:.8125rem;--m:.9375rem;--l:1.1875rem;--xl:1.9375rem;--gap:3rem;--side:2rem;
         --sans:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;
         --mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
        @media screen{:root{color-scheme:light dark}}
        @media screen and (prefers-color-scheme:dark){:root{--bg:#0f1216;--wash:#181c22;--rule:#262c35;--line:#4a5462;--ink:#e8ebef;
         --muted:#a3acb8;--neutral:#6d7786;--worse:#f0955a;--better:#7db3f0;--alarm:#ff8b97;--alarm-fill:#cf3048;--better-fill:#7db3f0;
         --on-better:#0f1216}}
        @media screen and (max-width:899px){:root{--side:1.5rem}}
        @media screen and (max-width:559px){:root{--side:1rem;--xl:1.5rem;--gap:1.5rem}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--bg);color:var(--ink);font:var(--m)/1.5 var(--sans)}
        :focus-visible{outline:2px solid var(--ink);outline-offset:2px}
        code,pre{font:.9286em/1.5 var(--mono)}
        h1,h2,h3,b{font-weight:600}
        h1,h2{font-size:var(--l);line-height:1.35;margin:0;text-wrap:balance}
        h3{font-size:var(--m);margin:1.5rem 0 .125rem}
        p{margin:0}
        pre{margin:.375rem 0;padding:.625rem .75rem;background:var(--wash);border-radius:4px;font-size:var(--s);white-space:pre-wrap}
        small,.muted,.note{color:var(--muted)}
        small,.note{font-size:var(--s)}
        svg{display:block;overflow:visible}
        svg text{font:var(--s) var(--sans);font-variant-numeric:tabular-nums}
        td svg{display:inline-block;vertical-align:baseline}
        .block{border-top:1px solid var(--line);padding-top:.75rem}
        .n{text-align:right}
        .worse{color:var(--worse)}.better{color:var(--better)}
        main{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));column-gap:var(--gap);align-items:start}
        main>*{grid-column:1/-1;min-width:0}
        main>.half{grid-column:span 1}
        .says{font-size:var(--xl);line-height:1.2;font-weight:600;letter-spacing:-.012em;text-wrap:balance}
        .sub{font-size:var(--l);line-height:1.4}
        table{width:100%;border-collapse:collapse;table-layout:fixed;font-variant-numeric:tabular-nums;line-height:1.4}
        th,td{text-align:left;vertical-align:baseline;font-weight:400;padding:.3125rem 0 .3125rem 1rem;
        border-bottom:1px solid var(--rule)}
        th:first-child,td:first-child{padding-left:0}
        thead th,thead td{overflow-wrap:normal;font-size:var(--s);color:var(--muted);vertical-align:bottom;
        border-bottom-color:var(--line);line-height:1.3}
        tbody th small{display:block}
        .b{width:26%}.b.s{width:14%}
        .key{display:inline-flex;align-items:center;gap:.375rem;margin-right:1rem;white-space:nowrap}
        details{margin-top:.75rem}
        summary{cursor:pointer;color:var(--muted);font-size:var(--s);width:fit-content}
        summary:hover{color:var(--ink)}
        @media screen and (max-width:559px){th,td{padding-left:.625rem}}

        """

    /// The rules of reports, behind those.
    static let sheet: StaticString = """
        body{overflow-wrap:anywhere}
        a{color:inherit;text-underline-offset:3px}
        dl,dd,figure,ul{margin:0}
        ul{padding-left:1.25rem}
        code{user-select:all;white-space:pre-wrap}
        @media screen{.aligned{white-space:pre;overflow-x:auto}}
        .option{white-space:nowrap}
        strong{font-weight:600}
        .muted{font-size:var(--s)}
        svg text{fill:var(--ink)}
        svg .f-worse{fill:var(--worse)}svg .f-better{fill:var(--better)}svg .f-neutral{fill:var(--neutral)}svg .f-ink{fill:var(--ink)}
        svg .f-alarm{fill:var(--alarm)}svg .f-muted{fill:var(--muted)}svg .f-bg{fill:var(--bg)}
        svg .s-ink{stroke:var(--ink)}svg .s-alarm{stroke:var(--alarm);stroke-width:2}svg .s-rule{stroke:var(--rule)}
        svg .s-worse{stroke:var(--worse)}svg .s-better{stroke:var(--better)}
        svg .f-wash{fill:var(--wash);fill-opacity:1}svg .s-line{stroke:var(--line)}svg .s-bg{stroke:var(--bg);stroke-width:2}svg .s-neutral{stroke:var(--neutral)}
        svg text.b{font-weight:600}
        svg text.halo{paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}
        .page{max-width:calc(1120px + 2*var(--side));margin:0 auto;padding:2.25rem var(--side) 4rem}
        .title{display:flex;flex-wrap:wrap;gap:.125rem 1.25rem;justify-content:space-between;align-items:baseline;padding-bottom:.875rem}
        .title p{color:var(--muted);font-size:var(--s)}
        .answer{border-top:4px solid var(--ink);padding:1.375rem 0 1.5rem}
        .answer.bad{border-color:var(--alarm-fill)}.answer.good{border-color:var(--better-fill)}
        .answer.two{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));column-gap:var(--gap)}
        .answer>.plot{align-self:end}
        .verdict{display:inline-block;margin:0 0 .875rem;font-size:var(--m);line-height:1.25rem;padding:.1875rem .75rem;
        border-radius:1rem;border:1px solid var(--line)}
        .bad .verdict{background:var(--alarm-fill);color:#fff;border-color:transparent}
        .good .verdict{background:var(--better-fill);color:var(--on-better);border-color:transparent}
        .says{margin-bottom:.625rem}
        .lead,figcaption,.zeros{color:var(--muted);font-size:var(--s)}
        .answer .note,table+.note,.columns+.note{margin-top:.625rem}
        .lead{font-size:var(--m);max-width:46rem;margin-bottom:.25rem}
        .notice{font-size:var(--l);font-weight:600;margin-bottom:.5rem}
        .facts{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));column-gap:var(--gap);border-top:1px solid var(--line)}
        .facts.three{grid-template-columns:repeat(3,minmax(0,1fr))}
        .facts>div{padding:.75rem 0 .875rem}
        .facts .k,.facts .w{font-size:var(--s);color:var(--muted)}
        .facts .v{font-size:var(--l);font-weight:600;font-variant-numeric:tabular-nums;line-height:1.45}
        .facts .v small{font-weight:400}
        .zeros{border-top:1px solid var(--rule);padding-top:.625rem}
        section{min-width:0}
        .block{margin-top:2.75rem}
        h2{margin:0 0 .25rem}
        table{margin-top:.5rem}
        .t{width:7rem}.m{width:34%}
        .ea{font:var(--s)/1.55 var(--mono);display:grid;grid-template-columns:5.25rem minmax(0,1fr);column-gap:.75rem}
        .ea dt{color:var(--muted)}
        .n{width:4.75rem}td.n{white-space:nowrap}.n.w{width:7rem}.n.ww{width:11rem}.n.xl{width:17rem;white-space:normal}
        .half .b,.columns .b{width:30%}.half .n,.columns .n{width:4.25rem}
        .half .n.w,.columns .n.w{width:6rem}.half .n.ww,.columns .n.ww,.half .n.xl{width:9rem;white-space:normal}
        td.b svg{width:100%}
        .time{white-space:nowrap}
        td.zero{color:var(--muted)}
        .plot{margin-top:.25rem}
        .plot>svg{margin-top:.375rem}
        .cmd{margin:.375rem 0;padding:.625rem .75rem;background:var(--wash);border-radius:4px;font-size:var(--s)}
        .rests{margin-top:.25rem;display:grid;grid-template-columns:9rem minmax(0,1fr);gap:.3125rem 1rem}
        .rests dt{color:var(--muted)}.rests dd:empty{border-bottom:1px solid var(--line)}
        .columns{columns:2;column-gap:var(--gap)}
        .columns>section{break-inside:avoid-column;overflow:hidden;padding-bottom:1rem}.columns h3{margin-top:.75rem}
        tr:target>*,section:target>h2,section:target>h3{background:var(--wash)}
        @media screen and (max-width:1099px){.many .n{width:3.75rem}.many .n.ww{width:8rem;white-space:normal}
        .many th,.many td{padding-left:.5rem}.many th:first-child{padding-left:0}}
        @media screen and (max-width:899px){main,.answer.two{grid-template-columns:minmax(0,1fr)}
        main>.half{grid-column:1}.columns{columns:1}.answer>.plot{margin-top:1.25rem}
        .facts,.facts.three{grid-template-columns:repeat(2,minmax(0,1fr))}}
        @media screen and (max-width:799px){.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        .stack,.stack tbody{display:block}
        .stack tr{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));column-gap:1.5rem;padding:.5rem 0;
        border-bottom:1px solid var(--rule)}
        .stack th{font-weight:600;grid-column:1/-1}.stack td:empty{display:none}
        .stack th,.stack td{display:block;width:auto!important;padding:.0625rem 0;border:0;text-align:left}
        .stack td.b,.stack td.d,.stack td[colspan]{grid-column:1/-1}
        .stack td[data-h]{display:flex;justify-content:space-between;gap:.5rem;white-space:normal;text-align:right}
        .stack td[data-h]::before{content:attr(data-h);color:var(--muted);font-size:var(--s);overflow-wrap:normal;text-align:left}}
        @media screen and (max-width:559px){.time{white-space:normal}thead th{overflow-wrap:anywhere}svg .spare{display:none}
        .page{padding-top:1.25rem}
        .n{width:4.625rem}.n.w{width:5rem}.n.ww{width:8rem}.half .b,.columns .b,.b,.b.s{width:20%}
        .half .n,.columns .n{width:4.625rem}.m{width:36%}.t{width:4rem}.ea{grid-template-columns:minmax(0,1fr)}.ea dt{display:none}
        .facts,.facts.three,.rests{grid-template-columns:minmax(0,1fr)}.rests{gap:0}.rests dd{margin-bottom:.5rem}
        .facts>div{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:1rem;padding:.5rem 0;border-top:1px solid var(--rule)}
        .facts .k{grid-row:span 2}.facts .v,.facts .w{text-align:right}}
        @media print{ul{font-size:var(--s)}html{font-size:11.5px}:root{--s:7.5pt;--m:8.5pt;--l:11pt;--xl:18pt;--gap:8mm;--side:0mm;--ink:#000}
        @page{size:A4;margin:11mm 14mm 10mm}.half .b,.columns .b{width:18%}
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
        .page{padding:0;max-width:none}.block{margin-top:3.5mm}tr,.half,.facts,figure,.answer,.cmd{break-inside:avoid}
        h2,h3,thead,.lead{break-after:avoid}summary{list-style:none}
        details::details-content{content-visibility:visible;block-size:auto}}

        """
}
