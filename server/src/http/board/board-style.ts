import { hash } from 'node:crypto';

const COLORS = `:root{color-scheme:light dark;--page:#f6f8f7;--card:#fff;--line:#e2e8e5;--text:#18201d;--muted:#57625d;--accent:#1a6a49;
--soft:#e6f3ed;--in:#2f8a63;--out:#c9772e;--minus:#9a4a00}
@media(prefers-color-scheme:dark){:root{--page:#0e1210;--card:#151a18;--line:#28302d;--text:#dfe5e2;--muted:#9ba6a1;--accent:#6fc39b;
--soft:#172e24;--in:#4aa178;--out:#d08a45;--minus:#eaa965}}`;

const BASE = `*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
overflow-wrap:anywhere}
h1,h2,h3,p,dl,dd,ol,ul,figure{margin:0;padding:0}
ol,ul{list-style:none}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.muted{color:var(--muted)}
.small{font-size:.875rem}
.number{font-variant-numeric:tabular-nums;white-space:nowrap}
.digits{white-space:nowrap;overflow-wrap:normal}
.below{color:var(--minus)}
.mark{display:grid;place-items:center;flex:none;width:3.25rem;height:3.25rem;border-radius:14px;background:var(--soft);color:var(--accent);
font-size:1.5rem;font-weight:650;overflow:hidden}
.bars{display:block;width:100%;height:10rem}
.bars .in{fill:var(--in)}.bars .out{fill:var(--out)}.bars .zero{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.bars .day{fill:transparent}.bars .day:hover{fill:var(--text);fill-opacity:.08}
.key{display:inline-flex;flex-wrap:wrap;align-items:center;gap:0 .4rem;max-width:100%}
.key .number{white-space:normal}
.key::before{content:"";width:.625rem;height:.625rem;border-radius:3px;background:var(--in)}
.key.outs::before{background:var(--out)}
.row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 .75rem;align-items:baseline}
.row .number{grid-column:-2/-1;text-align:end}
.stacked .row{grid-template-columns:minmax(0,1fr)}
.stacked .number{white-space:normal}
.who,.text{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.leaders li{display:grid;grid-template-columns:1.5rem minmax(0,1fr);gap:0 .75rem;align-items:baseline;padding:.5rem 0}
.leaders li+li{border-top:1px solid var(--line)}
.leaders .place{color:var(--muted);font-variant-numeric:tabular-nums;text-align:end}
.leaders .first{color:var(--accent);font-weight:650}
.leaders meter{grid-column:2;width:100%;height:3px;margin-top:.35rem;border:0;border-radius:2px;background:var(--line);appearance:none}
.leaders meter::-webkit-meter-bar{height:3px;border:0;border-radius:2px;background:var(--line)}
.leaders meter::-webkit-meter-optimum-value{border-radius:2px;background:var(--in)}
.leaders meter::-moz-meter-bar{border-radius:2px;background:var(--in)}`;

const PAGE = `main{max-width:64rem;margin:0 auto;padding:3rem 1.5rem 2rem}
.head{display:flex;gap:1rem;align-items:center;margin-bottom:2rem}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.01em}
h2{font-size:1.0625rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.25rem 1.5rem}
.figures{display:grid;grid-template-columns:2fr minmax(max-content,1fr) minmax(max-content,1fr);margin-bottom:1.25rem;padding:0}
.figures div{padding:1.25rem 1.5rem}
.figures div+div{border-inline-start:1px solid var(--line)}
.figures dt{color:var(--muted);font-size:.875rem;overflow-wrap:normal}
.figures dd{font-size:1.625rem;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1.25rem;align-items:start;margin-top:1.25rem}
.title{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;align-items:baseline;margin-bottom:.75rem}
.sums{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
.axis{display:flex;justify-content:space-between;margin-top:.25rem}
.moves li{display:flex;flex-wrap:wrap;gap:0 .75rem;justify-content:space-between;align-items:baseline;padding:.5rem 0}
.moves .row{flex:1 0 100%}
.moves .text{min-width:0}
.moves li+li{border-top:1px solid var(--line)}
.commands{margin-top:1.25rem}
.groups{columns:2;column-gap:3rem}
.group{break-inside:avoid;padding-top:1rem}
.commands h2+.muted{margin-top:.5rem}
.commands h3{margin:0 0 .25rem;color:var(--muted);font-size:.8125rem;font-weight:600;text-transform:uppercase;letter-spacing:.04em}
.commands li{display:grid;grid-template-columns:minmax(5rem,7.5rem) minmax(0,1fr);gap:0 1rem;align-items:baseline;padding:.375rem 0;
border-top:1px solid var(--line)}
code{font:.875rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
details{margin-top:.75rem;overflow-x:auto}
summary{cursor:pointer;color:var(--muted);font-size:.875rem;width:fit-content}
table{width:100%;margin-top:.5rem;border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem 0;text-align:end;border-top:1px solid var(--line)}
th:first-child,td:first-child{text-align:start}
th{font-weight:600;color:var(--muted)}
footer{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;justify-content:space-between;margin-top:2rem;color:var(--muted);font-size:.875rem}
@media(max-width:64em){.figures:has(.long){grid-template-columns:1fr 1fr}.figures:has(.long) div:first-child{grid-column:1/-1;
border-bottom:1px solid var(--line)}.figures:has(.long) div:nth-child(2){border-inline-start:0}}
@media(max-width:40em){main{padding:1.5rem 1rem}h1{font-size:1.375rem}.card{padding:1rem}
.figures{grid-template-columns:1fr 1fr;padding:0}.figures div{padding:.875rem 1rem}.figures div:first-child:nth-last-child(3){grid-column:1/-1;
border-bottom:1px solid var(--line)}.figures div:nth-child(2){border-inline-start:0}.figures dd{font-size:1.375rem}
.figures dd.long{font-size:1.125rem}
.moves time{flex:1 0 100%}
.groups{columns:1}}`;

const EMBED = `body{background:transparent;font-size:14px}
main{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem;max-width:40rem}
.head{display:flex;gap:.625rem;align-items:center}
.mark{width:2.25rem;height:2.25rem;border-radius:10px;font-size:1.0625rem}
h1{font-size:1rem;line-height:1.25}
h1 a{color:inherit;text-decoration:none}h1 a:hover{text-decoration:underline}
h2{margin-top:.875rem;font-size:.8125rem;color:var(--muted);font-weight:600}
.figures{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;margin-top:.75rem}
.figures dt{color:var(--muted);font-size:.75rem}
.figures dd{font-size:1.0625rem;font-weight:600;font-variant-numeric:tabular-nums}
.bars{height:3.5rem;margin-top:.375rem}
.leaders li{padding:.25rem 0;grid-template-columns:1.25rem minmax(0,1fr)}
.leaders .who{-webkit-line-clamp:1}
.foot{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin-top:.75rem;font-size:.75rem;color:var(--muted)}`;

/** The style sheets of the full page and of the small version. Each page contains its own, so that it is one answer. */
export const PAGE_STYLE = `${COLORS}\n${BASE}\n${PAGE}`;
export const EMBED_STYLE = `${COLORS}\n${BASE}\n${EMBED}`;

/** Allows a browser to apply the style sheet and to show pictures. No script, no frame, no form. */
function policyOf(style: string, ancestors: string): string {
  return (
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self' data:; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`
  );
}

export const PAGE_POLICY = policyOf(PAGE_STYLE, "'none'");
/** The small version is made for pages of others. */
export const EMBED_POLICY = policyOf(EMBED_STYLE, '*');
