import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '../../src/store/open-engine.ts'
import { CERTIFICATE, KEY } from '../support/localhost-certificate.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

// A real server with a certificate of its own, which is for `localhost` and signed by no authority that anyone knows.

let server: Awaited<ReturnType<typeof startPostgresServer>>
let authority: string

beforeAll(async () => {
  authority = join(await temporaryDirectory(), 'ca.pem')
  await writeFile(authority, CERTIFICATE)
  server = await startPostgresServer({ isDurable: false, certificate: { certificate: CERTIFICATE, key: KEY } })
})
afterAll(() => server.stop())

/** What comes of opening it: `tls` or `plain`, or why it cannot be. */
async function opened(host: string, query: string): Promise<string> {
  const url = new URL(server.url)
  url.hostname = host
  try {
    const engine = await openEngine({ databaseUrl: `${url.href}?${query}`, dataDirectory: '' })
    const connection = await engine.acquire()
    const sql = 'select ssl::text as ssl from pg_stat_ssl where pid = pg_backend_pid()'
    const { rows } = await connection.execute({ sql, parameters: [], isRead: true })
    connection.release()
    await engine.close()
    return rows[0]?.['ssl'] === 'true' ? 'tls' : 'plain'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

const UNKNOWN = expect.stringMatching(/^UnfitDatabase: .*authority that is not known here/)

// from: brianc/node-postgres#2375, brianc/node-postgres#2558, supabase/pg-toolbelt#88
test('sslmode means with a real server what it means for libpq', async () => {
  const ca = `sslrootcert=${encodeURIComponent(authority)}`
  expect({
    none: await opened('localhost', ''),
    disable: await opened('localhost', 'sslmode=disable'),
    prefer: await opened('localhost', 'sslmode=prefer'),
    require: await opened('127.0.0.1', 'sslmode=require'),
    'require with an authority': await opened('127.0.0.1', `sslmode=require&${ca}`),
    'verify-ca by another name': await opened('127.0.0.1', `sslmode=verify-ca&${ca}`),
    'verify-full': await opened('localhost', `sslmode=verify-full&${ca}`),
    'verify-full without the authority': await opened('localhost', 'sslmode=verify-full'),
    'verify-full by another name': await opened('127.0.0.1', `sslmode=verify-full&${ca}`),
  }).toEqual({
    none: 'plain',
    disable: 'plain',
    prefer: 'tls',
    require: 'tls',
    'require with an authority': 'tls',
    'verify-ca by another name': 'tls',
    'verify-full': 'tls',
    'verify-full without the authority': UNKNOWN,
    'verify-full by another name': expect.stringMatching(/^UnfitDatabase: .*for another name than the host in the URL/),
  })
})
