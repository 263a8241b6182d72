import { createHash } from 'node:crypto'
import { upToRoot } from '../../core/site-path.ts'
import { type Html, text } from './html.ts'
import { STYLE } from './style.ts'

/** A page with the policy that it is sent under. */
export interface DocsPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

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

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** A page at this path of the gateway, whose links to the gateway's own pages hold under any path that a proxy serves it under. */
export function pageAtPath(page: DocsPage, path: string): DocsPage {
  return { ...page, html: page.html.replaceAll('href="/', `href="${upToRoot(path)}`) }
}
