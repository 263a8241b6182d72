import { systemClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { quotaBudgets, quotaLimitOf, seedBooks } from './books.ts'
import { seedCatalog } from './catalog.ts'
import { type SeedAccount, seedAccounts, type SeedKey } from './holders.ts'
import { randomsFrom, type SeedPlan } from './plan.ts'
import { seedRecords } from './records.ts'
import { openTarget, renewStatistics, type SeedRow, type SeedTarget } from './seed-target.ts'

export interface SeededPlace {
  /** null: the embedded database of the directory. */
  readonly databaseUrl: string | null
  readonly directory: string
}

/** What was seeded, as far as those who measure with it ask for some of it. */
export interface Seeded {
  /** The big one first. */
  readonly accountIds: readonly string[]
  /** Keys of the big account. */
  readonly keyIds: readonly string[]
}

/** What a plan seeds, without seeding it. */
export function seedOf(plan: SeedPlan): Seeded {
  return seededBy(seedAccounts(plan, randomsFrom(plan.seed)))
}

/**
 * Fills an empty database with accounts, keys and years of use, past the stores: a settle for each of five million records
 * would take an hour. `check-ledger` says `ok` of it. `say` hears of each step.
 */
export async function seedDatabase(
  place: SeededPlace,
  plan: SeedPlan,
  say: (step: string) => void = () => {},
): Promise<Seeded> {
  // Makes the tables.
  const store = await openStore({
    databaseUrl: place.databaseUrl,
    dataDirectory: place.directory,
    clock: systemClock,
  })
  await store.close()
  const target = await openTarget(place.databaseUrl, place.directory)
  let seeded: Seeded
  try {
    seeded = await fill(target, plan, say)
  } finally {
    await target.close()
  }
  // Without statistics PostgreSQL reads the sums in ways that take seconds.
  if (place.databaseUrl !== null) await renewStatistics(place.databaseUrl)
  return seeded
}

async function fill(target: SeedTarget, plan: SeedPlan, say: (step: string) => void): Promise<Seeded> {
  const random = randomsFrom(plan.seed)
  const accounts = seedAccounts(plan, random)
  await seedCatalog(target)
  await target.load(
    'accounts',
    accounts.map(({ id, createdAt }, index) => {
      const email = `seeded-${index + 1}@example.test`
      return { id, email, email_lower: email, role: 'user', status: 'active', created_at: createdAt, is_managed: 0 }
    }),
  )
  say('records')
  const restore = await target.withoutIndexes('usage_records')
  await target.load('usage_records', seedRecords(plan, accounts, random))
  say('indexes')
  await restore()
  say('keys')
  await seedKeys(target, accounts)
  say('ledger and roll-ups')
  const restored = [await target.withoutIndexes('ledger_entries'), await target.withoutIndexes('usage_days')]
  await seedBooks(target, accounts)
  for (const restoreIndexes of restored) await restoreIndexes()
  return seededBy(accounts)
}

function seededBy(accounts: readonly SeedAccount[]): Seeded {
  return { accountIds: accounts.map(({ id }) => id), keyIds: accounts[0]?.keys.map(({ id }) => id) ?? [] }
}

async function seedKeys(target: SeedTarget, accounts: readonly SeedAccount[]): Promise<void> {
  const keys = accounts.flatMap((account) => account.keys)
  const usedUp = new Set(keys.filter(({ quota, used }, index) => quota !== null && used.size > 0 && index % 10 === 0))
  const isUsedUp = (key: SeedKey) => usedUp.has(key)
  await target.load('api_keys', rowsOf(keys, isUsedUp))
  await target.load('budgets', quotaBudgets(keys, isUsedUp))
}

function* rowsOf(keys: readonly SeedKey[], isUsedUp: (key: SeedKey) => boolean): Iterable<SeedRow> {
  for (const key of keys) {
    yield {
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      name_lower: key.name.normalize('NFC').toLowerCase(),
      group_id: key.group.id,
      fallback_group_ids_json: '[]',
      status: key.status,
      status_changed_at: key.createdAt,
      expires_at: key.expiresAt,
      quota_limit_nano: quotaLimitOf(key, isUsedUp),
      quota_reset: key.quota ?? 'never',
      allowed_models_json: '[]',
      allowed_ips_json: '[]',
      // No secret has this hash: a seeded key cannot be used.
      secret_hash: `seeded ${key.id}`,
      secret_start: `sk-tg-${key.id.slice(-8, -4)}`,
      secret_end: key.id.slice(-4),
      created_at: key.createdAt,
      is_managed: 0,
    }
  }
}
