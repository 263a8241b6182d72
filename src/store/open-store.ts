import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { type NanoUsd, parseUsd } from '../core/money.ts'
import { settlementsOn } from './books/engine-settlements.ts'
import { SqlAlertStore } from './books/sql-alerts.ts'
import { SqlBudgetStore } from './books/sql-budgets.ts'
import { SqlLeaseStore } from './books/sql-leases.ts'
import { ledgerOn } from './books/sql-ledger.ts'
import { usageOn } from './books/sql-usage.ts'
import { SqlRetentionStore } from './books/archived/sql-retention.ts'
import { Database } from './engine/database.ts'
import { migrate } from './migrations/migrate.ts'
import { openEngine, type StoreOptions } from './open-engine.ts'
import { joinSqlite } from './sqlite/open-sqlite.ts'
import { readStoreSize } from './store-size.ts'
import type { TransactionStores, Store, StoreLink } from './store.ts'
import { SqlAccessTokenStore } from './tables/sql-access-tokens.ts'
import { SqlAccountStore } from './tables/sql-accounts.ts'
import { SqlAuditStore } from './tables/sql-audit.ts'
import { SqlCaptureStore } from './tables/sql-captures.ts'
import { catalogOn } from './tables/sql-catalog.ts'
import { SqlAnnouncementStore } from './tables/sql-announcements.ts'
import { SqlAttemptLimiter } from './tables/sql-attempt-limiter.ts'
import { SqlDeviceStore } from './tables/sql-devices.ts'
import { groupsOn } from './tables/sql-groups.ts'
import { SqlIdempotencyStore } from './tables/sql-idempotency.ts'
import { SqlImportedStore } from './tables/sql-imported.ts'
import { SqlKeyStore } from './tables/sql-keys.ts'
import { SqlListedModelStore } from './tables/sql-listed-models.ts'
import { ordersOn } from './tables/sql-orders.ts'
import { SqlOpenRequestStore } from './books/sql-open-requests.ts'
import { SqlMintedTokenStore } from './tables/sql-minted-tokens.ts'
import { SqlNodeStore } from './tables/sql-nodes.ts'
import { plansOn } from './tables/sql-plans.ts'
import { SqlRedeemCodeStore } from './tables/sql-redeem-codes.ts'
import { SqlSealedTextStore } from './tables/sql-sealed-texts.ts'
import { SqlSettingStore } from './tables/sql-settings.ts'
import { SqlSignInLinkStore } from './tables/sql-sign-in-links.ts'
import { SqlSignInRecords } from './tables/sql-sign-in.ts'
import { SqlStoredResponseStore } from './tables/sql-stored-responses.ts'
import { subscriptionsOn } from './tables/sql-subscriptions.ts'

/** Opens the database, makes or updates its tables, and returns the stores on it. Rejects with what stands in the way. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const engine = await openEngine(options)
  try {
    const database = new Database(engine)
    await migrate(database, options.clock.now(), options.onStep === undefined ? {} : { onStep: options.onStep })
    await engine.openJournal()
    return storeOn(database, options)
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The stores on the database that another thread of this process has opened, which returned `link` when it was shared. */
export async function joinStore(link: StoreLink, options: StoreOptions): Promise<Store> {
  const engine = link === null ? await openEngine(options) : joinSqlite(link, options.onTrouble ?? (() => {}))
  await engine.openJournal()
  return storeOn(new Database(engine), options)
}

function storeOn(database: Database, options: StoreOptions): Store {
  const { clock, dataDirectory, lowBalance = parseUsd('1') } = options
  const { engine } = database
  return {
    engine: engine.kind,
    connectionLimit: engine.connectionLimit,
    ...changeableOn(database, { clock, lowBalance }),
    together: (work) => database.together((inside) => work(changeableOn(inside, { clock, lowBalance }))),
    budgets: new SqlBudgetStore(database),
    leases: new SqlLeaseStore(database, lowBalance),
    settlements: settlementsOn(engine, lowBalance),
    retention: new SqlRetentionStore(database),
    sealedTexts: new SqlSealedTextStore(database),
    alerts: new SqlAlertStore(database),
    usage: usageOn(database, clock),
    openRequests: new SqlOpenRequestStore(database),
    storedResponses: new SqlStoredResponseStore(database),
    listedModels: new SqlListedModelStore(database),
    mintedTokens: new SqlMintedTokenStore(database, clock),
    nodes: new SqlNodeStore(database),
    idempotency: new SqlIdempotencyStore(database),
    attemptLimiter: new SqlAttemptLimiter(database),
    size: () => readStoreSize(database, dataDirectory),
    share: () => engine.share(),
    get lost() {
      return engine.isLost
    },
    check: (timeoutMs) => within(timeoutMs, engine.ping()),
    close: () => engine.close(),
  }
}

function changeableOn(
  database: Database,
  { clock, lowBalance }: { clock: Clock; lowBalance: NanoUsd | null },
): TransactionStores {
  return {
    keys: new SqlKeyStore(database, clock),
    accounts: new SqlAccountStore(database, clock),
    signInRecords: new SqlSignInRecords(database),
    signInLinks: new SqlSignInLinkStore(database),
    groups: groupsOn(database),
    catalog: catalogOn(database),
    plans: plansOn(database, clock),
    subscriptions: subscriptionsOn(database, lowBalance),
    redeemCodes: new SqlRedeemCodeStore(database),
    orders: ordersOn(database, lowBalance),
    ledger: ledgerOn(database, lowBalance),
    settings: new SqlSettingStore(database),
    accessTokens: new SqlAccessTokenStore(database),
    devices: new SqlDeviceStore(database),
    audit: new SqlAuditStore(database),
    adminAlerts: new SqlAlertStore(database),
    announcements: new SqlAnnouncementStore(database),
    captures: new SqlCaptureStore(database),
    imported: new SqlImportedStore(database),
  }
}

async function within(timeoutMs: number, answer: Promise<void>): Promise<void> {
  const over = new AbortController()
  const late = pause(timeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`the database did not answer within ${timeoutMs} ms`)
  })
  try {
    await Promise.race([answer, late])
  } finally {
    late.catch(() => {})
    over.abort()
  }
}
