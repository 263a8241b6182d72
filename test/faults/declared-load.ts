import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../support/test-servers.ts'
import type { Chance } from './chance.ts'
import {
  ACCOUNTS,
  type DeclaredAccount,
  type DeclaredKey,
  MULTIPLIERS,
  NARROW,
  PLANS,
  POOR,
  QUOTAS,
  SHAKY,
} from './declared-accounts.ts'
import { inUsd } from './expected-charge.ts'
import { MENU } from './menu.ts'
import type { LoadKey } from './orders.ts'
import { shakyNameOf } from './serving-group.ts'
import { type BooksPlace, readIds } from './written-books.ts'

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
  const groups = Object.keys(MULTIPLIERS).filter((name) => name !== SHAKY)
  const upstream = (name: string, protocol: string) => ({
    name: `fake-${name}`,
    protocol,
    base_url: `${upstreamUrl}/v1`,
    credential: 'a-credential-for-tests',
  })
  return {
    upstreams: [...upstreams.map((protocol) => upstream(protocol, protocol)), upstream(SHAKY, 'openai')],
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
      targets: [
        ...upstreams.map((protocol) => ({ upstream: `fake-${protocol}`, model: name, groups })),
        { upstream: `fake-${SHAKY}`, model: shakyNameOf(name), groups: [SHAKY] },
      ],
    })),
    groups: [
      ...Object.entries(MULTIPLIERS).map(([name, multiplier]) => ({
        name,
        multiplier: inUsd(multiplier * 1_000n),
        models: name === 'narrow' ? [...NARROW] : ['*'],
      })),
      { name: 'closed', multiplier: '9', models: ['*'], open: false },
    ],
    plans: Object.entries(PLANS).map(([name, group]) => ({
      name,
      groups: [group],
      days: 300,
      price: '1',
      quotas: quotas(QUOTAS),
    })),
    accounts: ACCOUNTS.map(({ email, balance, plan = null }) => ({
      email,
      balance: inUsd(balance),
      subscription: plan,
    })),
    keys: ACCOUNTS.flatMap(({ email, keys }) => keys.map((key) => declaredKey(email, key, secrets.get(key.name)))),
  }
}

function declaredKey(account: string, key: DeclaredKey, secret: string | undefined): object {
  const { name, group = 'default', fallbacks = [], quota, quotaReset = 'never', limits = {} } = key
  const { concurrency, requestsPerMinute, tokensPerMinute, spend } = limits
  return {
    account,
    name,
    group,
    fallback_groups: fallbacks,
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

type Ids = Awaited<ReturnType<typeof readIds>>

function loadKeys(ids: Ids, secrets: ReadonlyMap<string, string>): LoadKey[] {
  return ACCOUNTS.flatMap((account) =>
    account.keys.map((key) => ({
      ...limitsOf(key, account),
      id: ids.keys.get(key.name) ?? key.name,
      accountId: ids.accounts.get(account.email) ?? account.email,
      secret: secrets.get(key.name) ?? '',
      quota: key.quota ?? null,
      ...groupsOf(key),
      isRich: key.name.startsWith('rich'),
    })),
  )
}

function limitsOf({ limits }: DeclaredKey, { plan }: DeclaredAccount): Pick<LoadKey, 'limits' | 'coveredIn'> {
  if (limits === undefined) return {}
  return limits.subscription === undefined || plan === undefined ? { limits } : { limits, coveredIn: PLANS[plan] }
}

function groupsOf({
  group = 'default',
  fallbacks = [],
}: DeclaredKey): Pick<LoadKey, 'group' | 'multiplier' | 'fallback'> {
  const first = { group, multiplier: MULTIPLIERS[group] }
  const last = fallbacks.findLast((each) => each !== 'closed')
  if (last === undefined) return first
  const except = group === 'narrow' ? NARROW : null
  return { ...first, fallback: { group: last, multiplier: MULTIPLIERS[last], except } }
}

const KEY_CHARACTERS = 'b c d f g h j k m n p q r s t v w x z 2 3 4 6 7 8 9'.split(' ')

function customKey(chance: Chance): string {
  return Array.from({ length: 40 }, () => chance.pick(KEY_CHARACTERS)).join('')
}
