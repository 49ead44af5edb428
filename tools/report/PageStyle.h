// The style sheet of report pages: the one place that knows colours. Light or
// dark as the reader's system asks.
#ifndef ATTNRES_TOOLS_REPORT_PAGESTYLE_H
#define ATTNRES_TOOLS_REPORT_PAGESTYLE_H

namespace attnres::report {

inline constexpr const char *pageStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1c2128; --muted: #5d6672;
  --rule: #d9dde3; --grid: #e9ecf0; --heat: #1f5fae; --on-heat: #ffffff;
  --good: #1a7f37; --bad: #c2271d; --bad-ground: #fde8e6;
  --c0: #2166c4; --c1: #d4570b; --c2: #1f8a4c; --c3: #8e3bb0;
  --c4: #c2271d; --c5: #0b7f8f; --c6: #94700a; --c7: #5c6470;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151a; --card: #1b2027; --text: #e4e8ed; --muted: #98a2af;
    --rule: #343b45; --grid: #262c35; --heat: #6cb2ff; --on-heat: #0b1622;
    --good: #4ecb71; --bad: #ff8379; --bad-ground: #43211f;
    --c0: #6cb2ff; --c1: #ff9f55; --c2: #5fd38d; --c3: #cf9bef;
    --c4: #ff8379; --c5: #4fd1de; --c6: #e0bc4f; --c7: #aab3bf;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1400px; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 18px; margin: 32px 0 10px; }
h3 { font-size: 15px; margin: 16px 0 8px; }
.muted, .note { color: var(--muted); margin: 4px 0; }
.tiles { display: grid; gap: 12px; margin: 16px 0;
  grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); }
.tile, .card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; }
.tile { padding: 10px 14px; }
.tile b { display: block; font-size: 22px; font-variant-numeric: tabular-nums; }
.tile span { color: var(--muted); font-size: 13px; }
.charts { display: grid; gap: 14px;
  grid-template-columns: repeat(auto-fill, minmax(min(520px, 100%), 1fr)); }
.card { margin: 0; padding: 12px 14px; min-width: 0; }
.wide { margin-bottom: 14px; }
.scroll { overflow-x: auto; }
figcaption { font-weight: 600; margin-bottom: 6px; }
.key { font-weight: 400; color: var(--muted); margin-left: 14px; white-space: nowrap; }
svg { display: block; width: 100%; height: auto; }
svg.heat { width: auto; max-width: none; }
svg.swatch { display: inline-block; width: 22px; height: 8px; margin-right: 5px; }
svg text { font: 11px system-ui, sans-serif; fill: var(--text); }
svg .tick, svg .unit { fill: var(--muted); }
.grid { stroke: var(--grid); fill: none; }
.axis { stroke: var(--rule); fill: none; }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.faint { stroke-width: 1; stroke-opacity: 0.3; }
.dashed { stroke-dasharray: 5 3; }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }
.c3 { stroke: var(--c3); } .c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); }
.c6 { stroke: var(--c6); } .c7 { stroke: var(--c7); }
circle { fill: var(--card); stroke-width: 1.5; }
.hover { fill: var(--text); fill-opacity: 0; }
.hover:hover { fill-opacity: 0.08; }
.cell { fill: var(--heat); stroke: var(--rule); stroke-width: 0.5; }
svg .strong { fill: var(--on-heat); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--rule); text-align: left;
  vertical-align: top; }
th { font-weight: 600; }
td.number, th.number { text-align: right; }
td.setting { max-width: 480px; overflow-wrap: anywhere; }
.best { color: var(--good); font-weight: 600; }
.sample { border-left: 4px solid var(--rule); padding: 4px 12px; margin: 10px 0; }
.sample.right { border-color: var(--good); }
.sample.wrong { border-color: var(--bad); }
.sample p { margin: 2px 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 13px/1.5 ui-monospace, monospace; }
.sample .label { color: var(--muted); font: 13px system-ui, sans-serif; }
.wrong .label.verdict { color: var(--bad); font-weight: 600; }
.right .label.verdict { color: var(--good); font-weight: 600; }
mark { background: var(--bad-ground); color: var(--bad); }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--muted); }
)css";

} // namespace attnres::report
#endif
