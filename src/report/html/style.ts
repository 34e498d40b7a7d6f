/**
 * How a report looks: light and dark, narrow and wide, on screens and on paper. Its text is hashed for the page's
 * policy.
 */

/**
 * Colours of lines after Okabe and Ito, "Color Universal Design", told apart by all kinds of colour vision; darker on
 * white and lighter on black than theirs,
  so that each has a contrast of 3 to 1. From the fifth on they are dashed too.
 */
export const STYLE = `
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2128; --quiet: #59636e; --rule: #d5dbe1; --soft: #f4f6f8; --shade: #eceff3;
  --good: #00734f; --warn: #8f5a00; --bad: #b3261e; --accent: #0067a3;
  --c1: #0072b2; --c2: #d55e00; --c3: #00855f; --c4: #b5558c; --c5: #8a6d00; --c6: #2f86b8; --c7: #5b6068;
    --c8: #7747b0; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #11151a; --ink: #e4e8ec; --quiet: #9ba6b1; --rule: #323a43; --soft: #191f26; --shade: #1e252d;
  --good: #4cc9a0; --warn: #e6b03c; --bad: #ff8a80; --accent: #6cbcf0;
  --c1: #56b4e9; --c2: #f08a3c; --c3: #34c99b; --c4: #e59cc7; --c5: #e8d73c; --c6: #93c5f5; --c7: #b4bcc5;
    --c8: #c4a5f5; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere; }
main, header, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 28px; }
footer { padding-top: 8px; padding-bottom: 40px; color: var(--quiet); font-size: 13px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 8px; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 19px; line-height: 1.3; margin: 44px 0 10px; padding-top: 14px; border-top: 1px solid var(--rule);
  font-weight: 650; break-after: avoid; }
h3 { font-size: 15px; margin: 24px 0 6px; font-weight: 650; break-after: avoid; }
p { margin: 6px 0; max-width: 86ch; }
.kicker { color: var(--quiet); font-size: 13px; margin: 0 0 4px; }
.kicker a { color: var(--accent); }
.lead { font-size: 17px; line-height: 1.45; max-width: 110ch; }
.quiet { color: var(--quiet); font-size: 13px; max-width: 110ch; }
.cards .quiet { white-space: nowrap; }
.run-title { font-size: 22px; margin-top: 64px; border-top: 3px solid var(--ink); }
nav { margin: 14px 0 0; font-size: 13px; }
nav a { color: var(--accent); margin-right: 16px; white-space: nowrap; display: inline-block; }
a:focus-visible, button:focus-visible, summary:focus-visible, svg:focus-visible { outline: 2px solid var(--accent);
  outline-offset: 2px; }
.notice { border-left: 4px solid var(--warn); background: var(--soft); padding: 8px 14px; margin: 12px 0;
  max-width: 86ch; }
.notice.bad { border-color: var(--bad); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(132px, 1fr)); gap: 1px; margin: 18px 0 6px;
  padding: 0;
  border: 1px solid var(--rule); border-radius: 6px; overflow: hidden; }
.figures div { box-shadow: 1px 1px 0 var(--rule); padding: 10px 14px; }
.figures dt { color: var(--quiet); font-size: 12px; }
.figures dd { margin: 0; font-size: 21px; font-weight: 600; line-height: 1.3; }
.figures dd small { font-size: 12px; font-weight: 400; color: var(--quiet); }
.cards { display: grid; gap: 12px; margin: 10px 0; padding: 0; list-style: none; }
.cards > li { border: 1px solid var(--rule); border-left: 4px solid var(--quiet); border-radius: 4px;
  padding: 10px 14px; break-inside: avoid; }
.cards > li.bad { border-left-color: var(--bad); } .cards > li.warn { border-left-color: var(--warn); }
.cards > li.info { border-left-color: var(--accent); }
.cards p { margin: 3px 0; } .cards strong { font-weight: 650; }
.label { font-size: 11px; font-weight: 700; letter-spacing: 0.05em; margin-right: 8px; color: var(--quiet);
  text-transform: uppercase; }
.bad > .label { color: var(--bad); } .warn > .label { color: var(--warn); } .info > .label { color: var(--accent); }
.good { color: var(--good); } td.bad { color: var(--bad); }
dl.facts { display: grid; grid-template-columns: minmax(130px, max-content) 1fr; gap: 3px 18px; margin: 8px 0;
  font-size: 14px; }
dl.facts dt { color: var(--quiet); } dl.facts dd { margin: 0; min-width: 0; }
dl.many { columns: 2 420px; column-gap: 40px; font-size: 13px; margin: 8px 0; }
dl.many div { display: grid; grid-template-columns: 46% 1fr; gap: 12px; padding: 2px 0;
  border-bottom: 1px solid var(--rule); break-inside: avoid; }
dl.many dt { color: var(--quiet); } dl.many dd { margin: 0; min-width: 0; }
table { border-collapse: collapse; width: 100%; margin: 8px 0 12px; font-size: 14px; }
th, td { text-align: left; vertical-align: baseline; padding: 5px 0 5px 16px; border-bottom: 1px solid var(--rule);
  unicode-bidi: isolate; }
th:first-child, td:first-child { padding-left: 0; }
td.word, th.word { white-space: nowrap; } th { min-width: 4.6em; }
th { color: var(--quiet); font-weight: 500; font-size: 12.5px; vertical-align: bottom; }
td.number, th.number { text-align: right; white-space: nowrap; }
@media (min-width: 701px) { td:first-child { min-width: 8em; } }
td.drawn { vertical-align: middle; width: 26%; min-width: 150px; padding-top: 0; padding-bottom: 0; }
tr { break-inside: avoid; }
tr.strong td { font-weight: 650; }
td.code, dd.code, .cards .code { font: 13px/1.45 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas,
  "DejaVu Sans Mono", monospace; }
pre { font: 13px/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  background: var(--soft);
  border: 1px solid var(--rule); border-radius: 4px; padding: 10px 14px; white-space: pre-wrap;
    overflow-wrap: anywhere; margin: 8px 0; }
ul.plain { margin: 6px 0; padding-left: 20px; } ul.plain li { margin: 2px 0; max-width: 86ch; }
details { margin: 12px 0; } summary { cursor: pointer; color: var(--accent); font-size: 14px; }
figure { margin: 18px 0 4px; break-inside: avoid; }
figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px; margin: 0 0 4px; font-size: 13px; }
figcaption .title { font-weight: 650; font-size: 14px; } figcaption .unit { color: var(--quiet); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; list-style: none; margin: 0 22px 0 auto; padding: 0; }
.legend li, .legend button { display: inline-flex; align-items: center; gap: 6px; }
.legend button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
  text-align: left; }
.legend button[aria-pressed="false"] { opacity: 0.45; text-decoration: line-through; }
.legend svg { flex: none; } svg.swatch { display: inline-block; }
.argument { display: inline-block; max-width: 100%; }
.budget-shares { max-width: 480px; }
.frame { display: grid; grid-template-columns: 58px minmax(0, 1fr); padding-right: 22px; }
svg { display: block; overflow: visible; } svg.area { overflow: hidden; }
svg text { font-size: 11.5px; fill: var(--quiet); font-family: inherit; }
.grid { stroke: var(--rule); stroke-width: 1; vector-effect: non-scaling-stroke; shape-rendering: crispEdges; }
.baseline { stroke: var(--quiet); }
.shade { fill: var(--shade); }
.event { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 4 3; vector-effect: non-scaling-stroke; }
svg text.event-number { fill: var(--bad); font-weight: 700; stroke: none; }
.line { fill: none; stroke-width: 1.5; vector-effect: non-scaling-stroke; stroke-linejoin: round;
  stroke-linecap: round; }
.line-1 { stroke: var(--c1); } .line-2 { stroke: var(--c2); } .line-3 { stroke: var(--c3); }
  .line-4 { stroke: var(--c4); }
.line-5 { stroke: var(--c5); stroke-dasharray: 5 3; } .line-6 { stroke: var(--c6); stroke-dasharray: 2 3; }
.line-7 { stroke: var(--c7); stroke-dasharray: 7 3 2 3; } .line-8 { stroke: var(--c8); stroke-dasharray: 8 3; }
.fill-1 { fill: var(--c1); } .fill-2 { fill: var(--c2); } .fill-3 { fill: var(--c3); } .fill-4 { fill: var(--c4); }
.fill-5 { fill: var(--c5); } .fill-6 { fill: var(--c6); } .fill-7 { fill: var(--c7); } .fill-8 { fill: var(--c8); }
.fill-rest { fill: var(--rule); }
.share { stroke: var(--paper); stroke-width: 1; }
.interval { stroke: var(--ink); stroke-width: 2; } .interval-end { stroke: var(--ink); stroke-width: 2; }
.effect { fill: var(--c1); stroke: var(--paper); stroke-width: 1; }
.zero { stroke: var(--quiet); stroke-width: 1; } .margin { stroke: var(--quiet); stroke-width: 1;
  stroke-dasharray: 2 3; }
.band { fill: var(--c1); opacity: 0.14; }
.range { stroke: var(--c1); stroke-width: 1.5; opacity: 0.6; }
.point { fill: var(--c1); stroke: var(--paper); stroke-width: 1; } .point.far { fill: var(--c2); }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 4px 28px; }
.panels figure { margin: 10px 0; }
.cursor { stroke: var(--quiet); stroke-width: 1; vector-effect: non-scaling-stroke; }
.selection { fill: var(--accent); opacity: 0.18; }
.tip { position: absolute; z-index: 2; pointer-events: none; background: var(--paper); color: var(--ink);
  border: 1px solid var(--rule);
  border-radius: 4px; box-shadow: 0 2px 8px rgb(0 0 0 / 0.2); padding: 6px 10px; font-size: 12.5px;
    line-height: 1.45; max-width: 320px; }
.tip div { display: flex; gap: 12px; justify-content: space-between; } .tip b { font-weight: 600; }
.zoom { position: fixed; right: 16px; bottom: 16px; z-index: 3; font: inherit; font-size: 13px; padding: 6px 12px;
  cursor: pointer;
  color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px; }
[hidden] { display: none !important; }
@media (max-width: 700px) {
  main, header, footer { padding-left: 16px; padding-right: 16px; }
  h1 { font-size: 22px; } .lead { font-size: 16px; }
  .frame { grid-template-columns: 46px minmax(0, 1fr); padding-right: 14px; }
  .legend { margin-left: 0; width: 100%; }
  .fine { display: none; }
  dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: 6px; }
  table.stacked thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  table.stacked, table.stacked tbody, table.stacked tr, table.stacked td { display: block; width: auto; }
  table.stacked tr { border-bottom: 1px solid var(--rule); padding: 8px 0; display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 3px 14px; }
  table.stacked td { border: 0; padding: 0; white-space: normal; min-width: 0; grid-column: 1 / -1; display: flex;
    gap: 14px; }
  table.stacked td.number { grid-column: auto; display: block; text-align: left; }
  table.stacked td::before { content: attr(data-heading); color: var(--quiet); font: 12px/1.5 system-ui, sans-serif;
    flex: none; max-width: 45%; min-width: 20%; }
  table.stacked td.number::before { display: block; max-width: none; }
  table.stacked td:first-child { font-weight: 600; display: block; }
    table.stacked td:first-child::before { content: none; }
  table.stacked td:first-child.number { grid-column: 1 / -1; }
    table.stacked td:first-child.number::before { content: attr(data-heading) " "; display: inline; }
  table.stacked td.empty { display: none; }
  table.stacked td.drawn { display: block; width: auto; } table.stacked td.drawn::before { content: none; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --quiet: #444; --rule: #bbb; --soft: #fff; --shade: #eee;
    --c1: #0072b2; --c2: #d55e00; --c3: #00855f; --c4: #b5558c; --c5: #8a6d00; --c6: #2f86b8; --c7: #5b6068;
    --c8: #7747b0;
    --good: #00734f; --warn: #8f5a00; --bad: #b3261e; --accent: #000; }
  body { font-size: 11pt; } main, header, footer { max-width: none; padding: 0; }
  nav, .zoom, .tip, .hint { display: none; } h2 { margin-top: 24px; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
