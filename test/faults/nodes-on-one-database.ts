import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { type EngineName, newPlace, type Place } from '../conformance/store-under-test.ts'
import { type Environment, gatewayEnvironment, type GatewayProcess } from '../support/gateway-process.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import type { LoadKey } from './orders.ts'

/** Repeats what it is asked, and writes no more than it may. */
export const QUICK_MODEL = 'fake/echo?keeps_limits=1'

/** An empty database for several gateway processes, and the declarative file that each of them applies. */
export interface SharedDatabase {
  readonly place: Place
  /** The environment of each gateway. */
  readonly environment: Environment
  /** One key for each of the names. */
  key(name: string): LoadKey
}

export interface SharedDatabaseOptions {
  readonly upstreamUrl: string
  /** The balance in USD by the name of the account, which is its key's name too. */
  readonly balances: Readonly<Record<string, string>>
  /** Names of models, as the fake upstream knows them. */
  readonly models: readonly string[]
}

export async function sharedDatabase(engine: EngineName, options: SharedDatabaseOptions): Promise<SharedDatabase> {
  const place = await newPlace(engine)
  const configPath = join(await temporaryDirectory(), 'tollgate.yaml')
  // Every JSON text is a YAML text.
  await writeFile(configPath, JSON.stringify(declaration(options)))
  return {
    place,
    environment: gatewayEnvironment(place.directory, {
      TOLLGATE_CONFIG: configPath,
      TOLLGATE_DEMO: '0',
      TOLLGATE_SECRET: 'the same secret for every node of this test',
      ...(place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl }),
    }),
    key: (name) => ({
      id: name,
      accountId: name,
      secret: customKey(name),
      quota: null,
      group: 'default',
      multiplier: 1_000_000n,
      isRich: false,
    }),
  }
}

function declaration({ upstreamUrl, balances, models }: SharedDatabaseOptions): object {
  return {
    upstreams: [
      { name: 'fake', protocol: 'openai', base_url: `${upstreamUrl}/v1`, credential: 'a-credential-for-tests' },
    ],
    models: models.map((name) => ({
      name,
      price: { input: '2.5', output: '10' },
      context_tokens: 200_000,
      max_output_tokens: 64_000,
      targets: [{ upstream: 'fake', model: name }],
    })),
    groups: [{ name: 'default', multiplier: '1', models: ['*'] }],
    accounts: Object.entries(balances).map(([name, balance]) => ({ email: `${name}@example.test`, balance })),
    keys: Object.keys(balances).map((name) => ({
      account: `${name}@example.test`,
      name,
      group: 'default',
      custom_key: customKey(name),
    })),
  }
}

/** Long, and not to be guessed from the name. */
function customKey(name: string): string {
  return `${name}-7vq2kd93mxw4rzt8hbn6pj5fgc`
}

const FREEZES_LIMIT = 50
const STOPPED_AFTER_MS = 50

/**
 * SIGSTOP, at a moment when the process holds no lock on the database file: one that does keeps all others from writing,
 * which is another story. Returns when it froze, a reading of `performance.now()`.
 */
export async function freeze(gateway: GatewayProcess, place: Place): Promise<number> {
  for (let tries = 0; tries < FREEZES_LIMIT; tries++) {
    const frozenAt = performance.now()
    process.kill(gateway.processId, 'SIGSTOP')
    await pause(STOPPED_AFTER_MS)
    if (place.engine !== 'sqlite' || canWrite(place)) return frozenAt
    process.kill(gateway.processId, 'SIGCONT')
    await pause(STOPPED_AFTER_MS)
  }
  throw new Error('the gateway was writing each time it was stopped')
}

function canWrite(place: Place): boolean {
  const database = new DatabaseSync(join(place.directory, 'tollgate.db'), { timeout: 1_000 })
  try {
    database.exec('begin immediate')
    database.exec('rollback')
    return true
  } catch {
    return false
  } finally {
    database.close()
  }
}
