/** A gateway on a large seeded database, with a catalogue, plans and redeem codes besides. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gatewayEnvironment, startGatewayProcess } from '../../test/support/gateway-process.ts'
import type { SeededPlace } from '../../tools/seed/seed-database.ts'

export const DECLARED_UPSTREAM = 'the one with many credentials'
const CREDENTIALS = 200
const CODES_EACH = 100
const PLANS = 20
/** A constant, so that a database that is named by `--url` can be measured again. */
const SECRET = 'the secret of a place that is measured'

/** Models that no seeded request used. */
export const DECLARED_MODELS: readonly string[] = Array.from({ length: 1_000 }, (_, index) => `declared/model-${index}`)

/** Asks a route of the API as an admin. Rejects unless the answer is a success. */
export type AskApi = (path: string, query: Readonly<Record<string, string>>) => Promise<unknown>

/** Starts the gateway on what was seeded. Rejects when it does not start. */
export async function openLargeGateway({
  directory,
  databaseUrl,
}: SeededPlace): Promise<AsyncDisposable & { readonly ask: AskApi }> {
  const token = randomBytes(24).toString('hex')
  const file = join(directory, 'views.yaml')
  // Every JSON text is a YAML text.
  await writeFile(file, JSON.stringify(declaration()))
  const gateway = await startGatewayProcess(
    gatewayEnvironment(directory, {
      TOLLGATE_ADMIN_TOKEN: token,
      TOLLGATE_DEMO: '0',
      TOLLGATE_CONFIG: file,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl, TOLLGATE_SECRET: SECRET }),
    }),
  )
  const send = async (path: string, init: RequestInit): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${gateway.origin}${path}`, { ...init, headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  await send('/api/redeem-codes', {
    method: 'POST',
    body: JSON.stringify({ amount: '1', count: CODES_EACH, note: 'codes of the bench' }),
  })
  return {
    ask: (path, query) => send(`${path}?${new URLSearchParams(query).toString()}`, {}),
    [Symbol.asyncDispose]: async () => void (await gateway.stop()),
  }
}

function declaration(): object {
  const credentials = Array.from({ length: CREDENTIALS }, (_, index) => ({
    name: `c${index}`,
    secret: `secret-${index}`,
  }))
  return {
    // Nothing listens there, and nothing is sent.
    upstreams: [{ name: DECLARED_UPSTREAM, protocol: 'openai', base_url: 'http://127.0.0.1:1/v1', credentials }],
    models: DECLARED_MODELS.map((name) => ({
      name,
      price: { input: '2.50', output: '10' },
      targets: [{ upstream: DECLARED_UPSTREAM, model: name }],
    })),
    plans: Array.from({ length: PLANS }, (_, index) => ({
      name: `plan ${index}`,
      groups: ['default'],
      days: 30,
      price: '20',
      quotas: [{ window: '7d', usd: '5' }],
    })),
  }
}
