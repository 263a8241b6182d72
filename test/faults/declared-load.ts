import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../support/test-servers.ts'
import type { Chance } from './chance.ts'
import { inUsd } from './expected-charge.ts'
import type { GatewayPlace } from './gateway-process.ts'
import { MENU } from './menu.ts'
import type { LoadKey } from './orders.ts'
import { readIds } from './written-books.ts'

const MULTIPLIER = 1_370_001n
const CENT = 10_000_000n

interface DeclaredAccount {
  readonly email: string
  readonly balance: bigint
  readonly keys: readonly { readonly name: string; readonly quota: bigint | null; readonly isDear: boolean }[]
}

/** One that never runs out, one whose keys do, and one that runs out itself. */
const ACCOUNTS: readonly DeclaredAccount[] = [
  {
    email: 'rich@example.test',
    balance: 20_000n * CENT,
    keys: [
      { name: 'rich', quota: null, isDear: false },
      { name: 'rich-dear', quota: null, isDear: true },
    ],
  },
  {
    email: 'capped@example.test',
    balance: 5_000n * CENT,
    keys: [
      { name: 'capped', quota: 60n * CENT, isDear: false },
      { name: 'capped-dear', quota: 90n * CENT, isDear: true },
    ],
  },
  { email: 'poor@example.test', balance: 60n * CENT, keys: [{ name: 'poor', quota: null, isDear: false }] },
]

/** An empty data directory, and a declarative file with the menu, accounts and keys. */
export interface DeclaredLoad {
  readonly place: GatewayPlace
  /** The keys with the ids that they have got; to be asked for when the file has been applied. */
  keys(): readonly LoadKey[]
  /** What each account was given, by its id. */
  granted(): ReadonlyMap<string, bigint>
}

export async function declareLoad(upstreamUrl: string, chance: Chance): Promise<DeclaredLoad> {
  const dataDirectory = await temporaryDirectory()
  const configPath = join(await temporaryDirectory(), 'tollgate.yaml')
  const secrets = new Map(ACCOUNTS.flatMap(({ keys }) => keys).map(({ name }) => [name, customKey(chance)]))
  // Every JSON text is a YAML text.
  await writeFile(configPath, JSON.stringify(declaration(upstreamUrl, secrets)))
  const place = { dataDirectory, configPath }
  return {
    place,
    keys: () => loadKeys(dataDirectory, secrets),
    granted: () => {
      const { accounts } = readIds(dataDirectory)
      return new Map(ACCOUNTS.map(({ email, balance }) => [accounts.get(email) ?? email, balance]))
    },
  }
}

function declaration(upstreamUrl: string, secrets: ReadonlyMap<string, string>): object {
  const upstreams = ['openai', 'openai-chat', 'anthropic']
  return {
    upstreams: upstreams.map((protocol) => ({
      name: `fake-${protocol}`,
      protocol,
      base_url: `${upstreamUrl}/v1`,
      credential: 'a-credential-for-tests',
    })),
    models: MENU.map(({ name, prices }) => ({
      name,
      price: {
        input: inUsd(prices.input),
        output: inUsd(prices.output),
        cache_read: prices.cacheRead === null ? null : inUsd(prices.cacheRead),
        cache_write: prices.cacheWrite === null ? null : inUsd(prices.cacheWrite),
      },
      context_tokens: 200_000,
      max_output_tokens: 64_000,
      targets: upstreams.map((protocol) => ({ upstream: `fake-${protocol}`, model: name })),
    })),
    groups: [
      { name: 'default', multiplier: '1', models: ['*'] },
      { name: 'dear', multiplier: inUsd(MULTIPLIER * 1_000n), models: ['*'] },
    ],
    accounts: ACCOUNTS.map(({ email, balance }) => ({ email, balance: inUsd(balance) })),
    keys: ACCOUNTS.flatMap(({ email, keys }) =>
      keys.map(({ name, quota, isDear }) => ({
        account: email,
        name,
        group: isDear ? 'dear' : 'default',
        custom_key: secrets.get(name),
        quota_limit: quota === null ? null : inUsd(quota),
      })),
    ),
  }
}

function loadKeys(dataDirectory: string, secrets: ReadonlyMap<string, string>): LoadKey[] {
  const ids = readIds(dataDirectory)
  return ACCOUNTS.flatMap(({ email, keys }) =>
    keys.map(({ name, quota, isDear }) => ({
      id: ids.keys.get(name) ?? name,
      accountId: ids.accounts.get(email) ?? email,
      secret: secrets.get(name) ?? '',
      quota,
      multiplier: isDear ? MULTIPLIER : 1_000_000n,
      isRich: name.startsWith('rich'),
    })),
  )
}

const KEY_CHARACTERS = 'b c d f g h j k m n p q r s t v w x z 2 3 4 6 7 8 9'.split(' ')

function customKey(chance: Chance): string {
  return Array.from({ length: 40 }, () => chance.pick(KEY_CHARACTERS)).join('')
}
