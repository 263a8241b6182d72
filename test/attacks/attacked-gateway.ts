/** The gateway that is attacked, and the provider behind it: one that runs already, or a process of its own. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ADMIN_TOKEN, adminApi, type SampleApi } from '../../tools/sample/sample-api.ts'
import { type EngineName, newPlace } from '../conformance/store-under-test.ts'
import {
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { type Provider, startProvider } from '../support/provider/provider.ts'
import { readSettings } from './settings.ts'
import type { StallQuestion, StallReport } from './stall-probe.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export interface AttackedGateway {
  readonly origin: string
  readonly admin: SampleApi
  readonly provider: Provider
  /** The process, where it is one of ours. */
  readonly process: GatewayProcess | null
  /** Puts this before each name, so that a gateway that is attacked again has no name twice. */
  readonly prefix: string
  /** An account with a balance in USD, and a key of it with these settings. */
  purse(balance: string, key?: object): Promise<Purse>
  /** Adds to an account's balance, in USD. */
  credit(purse: Purse, amount: string): Promise<void>
  /** What stalled the event loop since this was last asked; null where the process is not ours. */
  stalls(): Promise<StallReport | null>
  /** Runs `check-ledger`; resolves with what it printed where it found a disagreement, else null. */
  checkLedger(): Promise<string | null>
  close(): Promise<void>
}

export interface Purse {
  readonly accountId: string
  readonly keyId: string
  readonly secret: string
}

/** The names of the upstreams at the attacked gateway, by protocol, without their prefix. */
export const UPSTREAMS = { openai: '/v1', anthropic: '/v1', gemini: '/v1beta' } as const

/** Starts the provider, and a gateway unless one was named; connects the two. */
export async function attackedGateway(
  engine: EngineName = 'sqlite',
  more: Readonly<Record<string, string>> = {},
): Promise<AttackedGateway> {
  const { running } = readSettings(process.env)
  const provider = await startProvider()
  const own = running === null ? await ownGateway(engine, more) : null
  const origin = running?.origin ?? own?.gateway.origin ?? ''
  const admin = adminApi(origin, running?.adminToken)
  const prefix = `attack-${randomBytes(4).toString('hex')}-`
  for (const [protocol, path] of Object.entries(UPSTREAMS)) {
    const about = { protocol, base_url: provider.url + path, credential: UPSTREAM_CREDENTIAL }
    await admin.ask('POST', '/api/upstreams', { name: prefix + protocol, ...about })
  }
  await admin.ask('POST', '/api/groups', { name: `${prefix}group`, models: ['*'] })
  let opened = 0
  return {
    origin,
    admin,
    provider,
    process: own?.gateway ?? null,
    prefix,
    purse: (balance, key = {}) => openPurse({ admin, prefix, name: `${prefix}${++opened}` }, balance, key),
    credit: ({ accountId }, amount) => credit(admin, accountId, amount),
    async stalls() {
      if (own === null) return null
      return (await own.gateway.ask({ stalls: 'read' } satisfies StallQuestion)) as StallReport
    },
    async checkLedger() {
      if (own === null) return null
      const { code, stdout, stderr } = await runTollgate(own.environment, ['check-ledger'])
      return code === 0 ? null : stdout + stderr
    },
    async close() {
      await own?.gateway.stop()
      await own?.leave()
      provider.close()
    },
  }
}

/** The secret that no answer may have in it. */
export const UPSTREAM_CREDENTIAL = 'sk-upstream-4d2c9f7ab6e14c0d8a37'

async function ownGateway(engine: EngineName, more: Readonly<Record<string, string>>) {
  const place = await newPlace(engine)
  const environment = gatewayEnvironment(place.directory, {
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    TOLLGATE_DEMO: '0',
    // So that what is named reaches the provider, and is billed.
    TOLLGATE_STORED_IDS: 'any',
    TOLLGATE_SECRET: 'a secret for attacks alone, 32 bytes and more',
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'tollgate'),
    ...(place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl }),
    ...more,
  })
  const probe = new URL('./stall-probe.ts', import.meta.url).href
  const gateway = await startGatewayProcess(environment, {
    command: [process.execPath, `--import=${probe}`, 'src/main.ts'],
    cwd: ROOT,
    hasChannel: true,
  })
  return { gateway, environment, leave: () => place.leave() }
}

async function credit(admin: SampleApi, accountId: string, amount: string): Promise<void> {
  await admin.ask('POST', `/api/accounts/${accountId}/ledger`, { amount, reason: 'an attack', kind: 'credit' })
}

async function openPurse(
  { admin, prefix, name }: { admin: SampleApi; prefix: string; name: string },
  balance: string,
  key: object,
): Promise<Purse> {
  const { id: accountId } = await admin.ask<{ id: string }>('POST', '/api/accounts', { email: `${name}@example.test` })
  if (balance !== '0') await credit(admin, accountId, balance)
  const wanted = { account_id: accountId, name, group: `${prefix}group`, ...key }
  const made = await admin.ask<{ key: { id: string }; secret: string }>('POST', '/api/keys', wanted)
  return { accountId, keyId: made.key.id, secret: made.secret }
}
