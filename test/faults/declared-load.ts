import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../support/test-servers.ts'
import type { Chance } from './chance.ts'
import { inUsd } from './expected-charge.ts'
import { MENU } from './menu.ts'
import type { LoadKey, LoadLimits } from './orders.ts'
import { type BooksPlace, readIds } from './written-books.ts'

const CENT = 10_000_000n
const ONE = 1_000_000n

/** By name, in parts per million. */
const MULTIPLIERS = { default: ONE, dear: 1_370_001n, narrow: 500_003n } as const

/** What the group `narrow` has of the menu. */
const NARROW: ReadonlySet<string> = new Set(MENU.filter((_, index) => index % 2 === 0).map(({ name }) => name))

const QUOTAS = [
  { window: '5h', usd: 22n * CENT },
  { window: '7d', usd: 30n * CENT },
] as const

interface DeclaredKey {
  readonly name: string
  readonly group?: keyof typeof MULTIPLIERS
  readonly quota?: bigint
  readonly quotaReset?: 'daily'
  readonly limits?: LoadLimits
}

interface DeclaredAccount {
  readonly email: string
  readonly balance: bigint
  readonly isSubscriber?: boolean
  readonly keys: readonly DeclaredKey[]
}

/** The account that is topped up again and again, and always near its end. */
export const POOR = 'poor@example.test'

/** Each limit has a key that it stops, and some keys have several. */
const ACCOUNTS: readonly DeclaredAccount[] = [
  {
    email: 'rich@example.test',
    balance: 20_000n * CENT,
    keys: [
      { name: 'rich' },
      { name: 'rich-dear', group: 'dear' },
      { name: 'rich-narrow', group: 'narrow' },
      { name: 'slots', limits: { concurrency: 2 } },
      { name: 'brisk', limits: { requestsPerMinute: 12 } },
      { name: 'thrifty', limits: { tokensPerMinute: 3_000 } },
    ],
  },
  {
    email: 'capped@example.test',
    balance: 5_000n * CENT,
    keys: [
      { name: 'capped', quota: 6n * CENT, quotaReset: 'daily' },
      { name: 'capped-dear', group: 'dear', quota: 25n * CENT },
      {
        name: 'spender',
        limits: {
          spend: [
            { window: '5h', usd: 15n * CENT },
            { window: '1d', usd: 40n * CENT },
          ],
        },
      },
      {
        name: 'tied-up',
        group: 'narrow',
        quota: 20n * CENT,
        quotaReset: 'daily',
        limits: { concurrency: 3, spend: [{ window: '7d', usd: 50n * CENT }] },
      },
    ],
  },
  { email: POOR, balance: 4n * CENT, keys: [{ name: 'poor' }, { name: 'poor-too', group: 'dear' }] },
  {
    email: 'member@example.test',
    balance: 30n * CENT,
    isSubscriber: true,
    keys: [
      { name: 'member', limits: { concurrency: 2, subscription: QUOTAS } },
      { name: 'roamer', group: 'dear' },
    ],
  },
  {
    email: 'guest@example.test',
    balance: 0n,
    isSubscriber: true,
    keys: [{ name: 'guest', limits: { subscription: QUOTAS } }],
  },
]

/** A declarative file with the menu, accounts and keys, and what becomes of them. */
export interface DeclaredLoad {
  readonly configPath: string
  /** The keys with the ids that they have got; to be asked for when the file has been applied. */
  keys(place: BooksPlace): Promise<readonly LoadKey[]>
  /** What each account was given, by its id: by the file, and `toPoor` by hand. */
  granted(place: BooksPlace, toPoor: bigint): Promise<Map<string, bigint>>
}

export async function declareLoad(upstreamUrl: string, chance: Chance): Promise<DeclaredLoad> {
  const configPath = join(await temporaryDirectory(), 'tollgate.yaml')
  const secrets = new Map(ACCOUNTS.flatMap(({ keys }) => keys).map(({ name }) => [name, customKey(chance)]))
  // Every JSON text is a YAML text.
  await writeFile(configPath, JSON.stringify(declaration(upstreamUrl, secrets)))
  return {
    configPath,
    keys: async (place) => loadKeys(await readIds(place), secrets),
    granted: async (place, toPoor) => {
      const { accounts } = await readIds(place)
      const given = ({ email, balance }: DeclaredAccount) => balance + (email === POOR ? toPoor : 0n)
      return new Map(ACCOUNTS.map((account) => [accounts.get(account.email) ?? account.email, given(account)]))
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
      ...Object.entries(MULTIPLIERS).map(([name, multiplier]) => ({
        name,
        multiplier: inUsd(multiplier * 1_000n),
        models: name === 'narrow' ? [...NARROW] : ['*'],
      })),
      { name: 'closed', multiplier: '9', models: ['*'], open: false },
    ],
    plans: [{ name: 'small', groups: ['default'], days: 300, price: '1', quotas: quotas(QUOTAS) }],
    accounts: ACCOUNTS.map(({ email, balance, isSubscriber }) => ({
      email,
      balance: inUsd(balance),
      subscription: isSubscriber === true ? 'small' : null,
    })),
    keys: ACCOUNTS.flatMap(({ email, keys }) => keys.map((key) => declaredKey(email, key, secrets.get(key.name)))),
  }
}

function declaredKey(account: string, key: DeclaredKey, secret: string | undefined): object {
  const { name, group = 'default', quota, quotaReset = 'never', limits = {} } = key
  const { concurrency, requestsPerMinute, tokensPerMinute, spend } = limits
  return {
    account,
    name,
    group,
    // What the first cannot serve is served by the last: the one between needs a plan that no account here has.
    fallback_groups: group === 'narrow' ? ['closed', 'dear'] : [],
    custom_key: secret,
    quota_limit: quota === undefined ? null : inUsd(quota),
    quota_reset: quotaReset,
    rate_limit: {
      concurrency: concurrency ?? null,
      requests_per_minute: requestsPerMinute ?? null,
      tokens_per_minute: tokensPerMinute ?? null,
      spend: quotas(spend ?? []),
    },
  }
}

function quotas(list: readonly { readonly window: string; readonly usd: bigint }[]): object[] {
  return list.map(({ window, usd }) => ({ window, usd: inUsd(usd) }))
}

function loadKeys(ids: Awaited<ReturnType<typeof readIds>>, secrets: ReadonlyMap<string, string>): LoadKey[] {
  return ACCOUNTS.flatMap(({ email, keys }) =>
    keys.map(({ name, group = 'default', quota, limits }) => ({
      id: ids.keys.get(name) ?? name,
      accountId: ids.accounts.get(email) ?? email,
      secret: secrets.get(name) ?? '',
      quota: quota ?? null,
      multiplier: MULTIPLIERS[group],
      isRich: name.startsWith('rich'),
      ...(group === 'narrow' ? { fallback: { except: NARROW, multiplier: MULTIPLIERS.dear } } : {}),
      ...(limits === undefined ? {} : { limits }),
    })),
  )
}

const KEY_CHARACTERS = 'b c d f g h j k m n p q r s t v w x z 2 3 4 6 7 8 9'.split(' ')

function customKey(chance: Chance): string {
  return Array.from({ length: 40 }, () => chance.pick(KEY_CHARACTERS)).join('')
}
