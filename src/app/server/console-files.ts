import { readdir, readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { upToRoot } from '../../core/site-path.ts'

/** The page that the client's router fills; every path of the console other than a file gets it. */
const PAGE = 'console.html'
const PREFIX = '/console/'
/** Deeper than any path of the console. The page grows with its depth, and anyone may ask for it. */
const DEEPEST_PAGE = 8

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

/** Best first. A file's compressed forms lie beside it, as `tools/build-console.ts` wrote them. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

/** Nothing is inline and nothing comes from elsewhere, so nothing that was smuggled into a page runs or reports home. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tollgate</title>
<main><p>The console is not built yet: run "npm run build -- console" in the checkout, then load this page again. The gateway works without it.</p></main></html>
`

interface BuiltFile {
  readonly type: string
  readonly plain: Buffer
  readonly encoded: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>
}

interface Build {
  readonly files: ReadonlyMap<string, BuiltFile>
  /** The page as it was built, as it is for `/console/` itself. */
  readonly page: BuiltFile
  /** The page for paths further down, by how many names further. */
  readonly pagesBelow: Map<number, BuiltFile>
  readonly builtMs: number
}

/**
 * Answers GET and HEAD of `/console` and everything below it from a folder that `tools/build-console.ts` filled. The files
 * are held in memory, and only what was found there is ever served, so no path leads out of the folder. Resolves when the
 * answer was handed over.
 */
export function createConsoleFiles(
  directory: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const current = keptBuild(directory)
  return async (request, response) => {
    const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/'
    const exchange = { request, response }
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(exchange, 405, 'Only GET and HEAD.\n')
    if (!path.startsWith(PREFIX)) return redirect(response)
    const name = path.slice(PREFIX.length)
    const isPage = !name.startsWith('assets/')
    const build = await current({ isPage })
    if (build === undefined) return notBuilt(exchange)
    if (isPage) {
      const page = pageFor(build, name)
      return page === null ? plain(exchange, 404, 'Page not found.\n') : send(exchange, page, 'no-store')
    }
    const file = build.files.get(name)
    if (file === undefined) return plain(exchange, 404, 'File not found.\n')
    // Its name changes with its content.
    send(exchange, file, 'public, max-age=31536000, immutable')
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The folder's content, read once, and again for a page when it was built anew meanwhile. */
function keptBuild(directory: string): (wish: { isPage: boolean }) => Promise<Build | undefined> {
  let kept: Promise<Build | undefined> = Promise.resolve(undefined)
  return async ({ isPage }) => {
    const known = await kept
    if (known !== undefined && !isPage) return known
    const builtMs = await stat(join(directory, PAGE)).then(
      (found) => found.mtimeMs,
      () => undefined,
    )
    if (builtMs === undefined) return known
    if (known?.builtMs !== builtMs) kept = readBuild(directory, builtMs).catch(() => known)
    return kept
  }
}

/**
 * The page at a path below `/console/`; null: none is so deep. It names its files relative to itself, so that they are found
 * under whatever path a reverse proxy serves the gateway, and with no setting for it.
 */
function pageFor({ page, pagesBelow }: Build, name: string): BuiltFile | null {
  const depth = name.split('/', DEEPEST_PAGE + 2).length - 1
  if (depth === 0) return page
  if (depth > DEEPEST_PAGE) return null
  const known = pagesBelow.get(depth)
  if (known !== undefined) return known
  const bytes = Buffer.from(page.plain.toString().replaceAll('"./assets/', `"${upToRoot(`/${name}`)}assets/`))
  const made = { ...page, plain: bytes, encoded: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) } }
  pagesBelow.set(depth, made)
  return made
}

async function readBuild(directory: string, builtMs: number): Promise<Build | undefined> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const all = new Set(paths)
  const files = new Map<string, BuiltFile>()
  for (const path of paths) {
    const type = TYPES[extname(path)]
    if (type === undefined) continue
    const encoded: Partial<Record<'br' | 'gzip', Buffer>> = {}
    for (const { name, ending } of ENCODINGS) {
      if (all.has(path + ending)) encoded[name] = await readFile(path + ending)
    }
    const name = path.slice(directory.length).replaceAll('\\', '/').replace(/^\/+/, '')
    files.set(name, { type, plain: await readFile(path), encoded })
  }
  const page = files.get(PAGE)
  return page === undefined ? undefined : { files, page, pagesBelow: new Map(), builtMs }
}

function send({ request, response }: Exchange, file: BuiltFile, cacheControl: string): void {
  const accepted = acceptedEncodings(request.headers['accept-encoding'])
  const encoding = ENCODINGS.find(({ name }) => accepted.has(name) && file.encoded[name] !== undefined)?.name
  const body = (encoding === undefined ? undefined : file.encoded[encoding]) ?? file.plain
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': String(body.length),
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The encodings that a client names and does not refuse with `q=0`. */
function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const parts = String(header ?? '').split(',')
  return new Set(
    parts.flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
    }),
  )
}

/** Relative, for a reverse proxy may serve us under a path. */
function redirect(response: ServerResponse): void {
  response.writeHead(308, { location: `${upToRoot('/console')}console/`, 'cache-control': 'no-store' })
  response.end()
}

function notBuilt({ request, response }: Exchange): void {
  response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : NOT_BUILT)
}

function plain({ request, response }: Exchange, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}
