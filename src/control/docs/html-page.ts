import { createHash } from 'node:crypto'
import { upToRoot } from '../../core/site-path.ts'
import { element, type Html, join, text } from './html.ts'

/** A page with the policy that it is sent under. */
export interface DocsPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** The whole style sheet of the documentation. The page's policy names it by its hash. */
const STYLE = `
:root{color-scheme:light dark;--ink:#1c2127;--dim:#57606a;--line:#d8dee4;--soft:#f6f8fa;--link:#0b57a4;--page:#fff;
--get:#0b5c3a;--post:#0b57a4;--patch:#7a4b00;--delete:#a1232b}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--dim:#a3acb6;--line:#363d46;--soft:#1d2229;--link:#7db8f5;--page:#14181d;
--get:#7fd3a8;--post:#7db8f5;--patch:#e6b566;--delete:#f59aa0}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:18rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.25rem 1rem;border-right:1px solid var(--line);font-size:.85rem}
nav ul{list-style:none;margin:0;padding:0}
nav>ul>li{margin-bottom:1rem}
nav>ul>li>a{font-weight:600}
nav li li a{display:block;padding:.15rem 0;overflow-wrap:anywhere}
main{padding:2rem clamp(1rem,4vw,3rem) 6rem;max-width:62rem;min-width:0}
h1{margin-top:0;line-height:1.2;overflow-wrap:anywhere}
h2{margin-top:3.5rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{margin:0 0 .25rem;font-size:1.1rem;font-weight:600;overflow-wrap:anywhere}
h4{margin:1.25rem 0 .25rem;font-size:.9rem}
h2 a,h3 a,nav a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover,nav a:hover{text-decoration:underline}
a{color:var(--link)}
a:focus-visible,pre:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
article{margin:2rem 0;padding:1.25rem;border:1px solid var(--line);border-radius:.6rem}
article:target{border-color:var(--link)}
.version,.who{color:var(--dim);font-size:.9rem}
.summary{margin:.25rem 0}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
:not(pre)>code{background:var(--soft);border-radius:.25rem;padding:.1em .3em;overflow-wrap:anywhere}
h3 code,caption code{background:none!important;padding:0!important}
pre{margin:.25rem 0 0;padding:.9rem 1rem;overflow:auto;background:var(--soft);border:1px solid var(--line);border-radius:.4rem}
.method{display:inline-block;min-width:3.4em;font:600 .75em ui-monospace,monospace}
.get{color:var(--get)}.post,.put{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.875rem}
caption{text-align:left;font-weight:600;padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line)}
th{color:var(--dim);font-weight:500}
td b{font-weight:600;color:var(--dim)}
td>code{overflow-wrap:normal!important;white-space:nowrap}
.depth-1{padding-left:1.25rem}.depth-2{padding-left:2.5rem}.depth-3{padding-left:3.75rem}.depth-4{padding-left:5rem}
summary{cursor:pointer;font-size:.9rem}
@media (max-width:56rem){body{display:block}nav{position:static;height:auto;max-height:16rem;border-right:0;border-bottom:1px solid var(--line)}}
@media print{nav{display:none}body{display:block}}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** A whole page in the style of the documentation. Its policy lets in that one style sheet and nothing else. */
export function htmlPage(title: string, body: Html): DocsPage {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title).markup}</title><style>${STYLE}</style></head><body>${body.markup}</body></html>
`
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  }
}

/** A page at this path of the gateway, whose links to the gateway's own pages hold under any path that a reverse proxy serves it under. */
export function pageAtPath(page: DocsPage, path: string): DocsPage {
  return { ...page, html: page.html.replaceAll('href="/', `href="${upToRoot(path)}`) }
}

const PLACES = [
  ['/docs', 'Documentation'],
  ['/docs/errors', 'Error codes'],
  ['/api/docs', 'Console API'],
] as const

/** A page below /docs, with what stands around the content of each. */
export function framedPage(title: string, parts: readonly Html[]): DocsPage {
  const links = PLACES.map(([href, place]) => element('li', {}, [element('a', { href }, [text(place)])]))
  return htmlPage(
    title,
    join([element('nav', { 'aria-label': 'Documentation' }, [element('ul', {}, links)]), element('main', {}, parts)]),
  )
}
