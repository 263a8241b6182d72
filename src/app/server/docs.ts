import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { FAULTS } from '../../core/faults.ts'

/** Answers GET and HEAD of /docs and below: what is shipped to read, and the page of each code that a problem's `type` names. */
export async function answerDocs(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split(/[?#]/, 1)[0] ?? ''
  const page = await pageAt(path)
  response.writeHead(page === null ? 404 : 200, {
    'content-type': page === null ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8',
    'content-security-policy': page?.contentSecurityPolicy ?? "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
  response.end(request.method === 'HEAD' ? undefined : (page?.html ?? 'Unknown page: see /docs.\n'))
}

/** null: there is nothing at this path. */
async function pageAt(path: string) {
  // Loaded when they are asked for: many gateways never show these pages.
  const { errorList, errorPage } = await import('../../control/error-pages.ts')
  const { docsFileOf, docsList, docsPage } = await import('../../control/docs-pages.ts')
  if (/^\/docs\/errors\/?$/.test(path)) return errorList()
  const code = /^\/docs\/errors\/(\w{1,64})$/.exec(path)?.[1]
  if (code !== undefined) return errorPage(code, await writtenOn(code))
  if (/^\/docs\/?$/.test(path)) return docsList()
  const name = /^\/docs\/([\w-]{1,64})$/.exec(path)?.[1] ?? ''
  // Only files of the list reach the disk.
  const file = docsFileOf(name)
  return file === null ? null : docsPage(name, await readFile(new URL(file, ROOT), 'utf8'))
}

/** The same distance from the sources and from what is compiled. */
const ROOT = new URL('../../../', import.meta.url)

/** Only names of faults reach the disk. */
async function writtenOn(code: string): Promise<string | null> {
  return Object.hasOwn(FAULTS, code) ? readFile(new URL(`docs/errors/${code}.md`, ROOT), 'utf8') : null
}
