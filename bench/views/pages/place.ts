/** A gateway on a large seeded place, which answers the pages of its administration. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SeedPlan } from '../../../tools/seed/plan.ts'
import type { Seeded } from '../../../tools/seed/seed-database.ts'
import { gatewayEnvironment, startGatewayProcess } from '../../../test/support/gateway-process.ts'

export const DECLARED_UPSTREAM = 'the one with many credentials'
const CREDENTIALS = 200
/** Together with those that were used. */
const MODELS = 1_000
const CODE_BATCHES = 10
const CODES_EACH = 100
const PLANS = 20
/** The same each time, so that a place that is given can be measured again. */
const SECRET = 'the secret of a place that is measured'

/** Models beside those of the seed, which no request used. */
export const DECLARED_MODELS: readonly string[] = Array.from(
  { length: MODELS },
  (_, index) => `declared/model-${index}`,
)

export interface PagesPlace extends Seeded {
  /** When the last of the seeded requests ended: epoch milliseconds. */
  readonly untilMs: number
  /** Asks an admin's route. Rejects unless it answers well. */
  ask(path: string, query: Readonly<Record<string, string>>): Promise<unknown>
  stop(): Promise<void>
}

/** Starts on what was seeded there, with a catalogue, plans and redeem codes besides. Rejects when it does not start. */
export async function openPlace(of: {
  readonly directory: string
  readonly databaseUrl: string | null
  readonly seeded: Seeded
  readonly plan: SeedPlan
}): Promise<PagesPlace> {
  const token = randomBytes(24).toString('hex')
  const file = join(of.directory, 'pages.yaml')
  // Every JSON text is a YAML text.
  await writeFile(file, JSON.stringify(declaration()))
  const gateway = await startGatewayProcess(
    gatewayEnvironment(of.directory, {
      TOLLGATE_ADMIN_TOKEN: token,
      TOLLGATE_DEMO: '0',
      TOLLGATE_CONFIG: file,
      ...(of.databaseUrl === null ? {} : { DATABASE_URL: of.databaseUrl, TOLLGATE_SECRET: SECRET }),
    }),
  )
  const send = async (path: string, init: RequestInit): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${gateway.origin}${path}`, { ...init, headers })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  for (let batch = 0; batch < CODE_BATCHES; batch++) {
    const body = JSON.stringify({ amount: '1', count: CODES_EACH, note: `${batch} of the bench` })
    await send('/api/redeem-codes', { method: 'POST', body })
  }
  return {
    ...of.seeded,
    untilMs: of.plan.untilMs,
    ask: (path, query) => send(`${path}?${new URLSearchParams(query).toString()}`, {}),
    stop: async () => void (await gateway.stop()),
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
