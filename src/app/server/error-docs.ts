import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { FAULTS } from '../../core/faults.ts'

/** Answers GET and HEAD of /docs/errors and the page of each code below it: where the `type` of a problem leads. */
export async function answerErrorDocs(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split(/[?#]/, 1)[0] ?? ''
  const code = /^\/docs\/errors\/(\w{1,64})$/.exec(path)?.[1]
  // Loaded when it is asked for: many gateways never show these pages.
  const { errorList, errorPage } = await import('../../control/error-pages.ts')
  const isList = /^\/docs\/errors\/?$/.test(path)
  const page = code !== undefined ? errorPage(code, await written(code)) : isList ? errorList() : null
  response.writeHead(page === null ? 404 : 200, {
    'content-type': page === null ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8',
    'content-security-policy': page?.contentSecurityPolicy ?? "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
  response.end(request.method === 'HEAD' ? undefined : (page?.html ?? 'Unknown code: see /docs/errors.\n'))
}

/** The same distance from the sources and from what is compiled. */
const PAGES = new URL('../../../docs/errors/', import.meta.url)

/** Only names of faults reach the disk. */
async function written(code: string): Promise<string | null> {
  return Object.hasOwn(FAULTS, code) ? readFile(new URL(`${code}.md`, PAGES), 'utf8') : null
}
