import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { FAULTS } from '../../core/faults.ts'

/** A page with the policy that it is sent under. */
type ServedPage = Awaited<ReturnType<typeof plainPage>>

/** Reads a file of the package. Rejects where it is missing. */
type ReadShipped = (file: string) => Promise<string>

/** The root of the package, as far from the sources as from what is compiled. */
const ROOT = new URL('../../../', import.meta.url)

const readShipped: ReadShipped = (file) => readFile(new URL(file, ROOT), 'utf8')

/**
 * Answers GET and HEAD of /docs and below: what is shipped to read, and the page of each code that a problem's `type` names.
 * Each page is made once, when it is first asked for: a long one takes ten milliseconds, and anyone may ask.
 */
export function docsAnswerer(read: ReadShipped = readShipped) {
  const made = new Map<string, NonNullable<ServedPage>>()
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split(/[?#]/, 1)[0] ?? ''
    const name = path.replace(/\/$/, '')
    const plain = made.get(name) ?? (await plainPage(name, read))
    // As many as there are pages: other paths have none.
    if (plain !== null) made.set(name, plain)
    const page = plain === null ? null : await pageAt(plain, path)
    response.writeHead(page === null ? 404 : 200, {
      'content-type': page === null ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8',
      'content-security-policy': page?.contentSecurityPolicy ?? "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
    response.end(request.method === 'HEAD' ? undefined : (page?.html ?? 'Unknown page: see /docs.\n'))
  }
}

async function pageAt(plain: NonNullable<ServedPage>, path: string) {
  const { pageAtPath } = await import('../../control/docs/html-page.ts')
  return pageAtPath(plain, path)
}

/** null: there is nothing at this path. */
async function plainPage(path: string, read: ReadShipped) {
  // Loaded when they are asked for: many gateways never show these pages.
  const { errorList, errorPage } = await import('../../control/docs/error-pages.ts')
  const { docsFileOf, docsList, docsPage } = await import('../../control/docs/docs-pages.ts')
  if (path === '/docs/errors') return errorList()
  const code = /^\/docs\/errors\/(\w{1,64})$/.exec(path)?.[1]
  // Only names of faults, and files of the list, reach the disk.
  if (code !== undefined)
    return errorPage(code, Object.hasOwn(FAULTS, code) ? await read(`docs/errors/${code}.md`) : null)
  if (path === '/docs') return docsList()
  const name = /^\/docs\/([\w-]{1,64})$/.exec(path)?.[1] ?? ''
  const file = docsFileOf(name)
  return file === null ? null : docsPage(name, await read(file))
}
