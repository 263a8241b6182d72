import type { NoteChange, AuditNote, AuditStore } from '../../access/audit.ts'
import type { DeclaredStatus, DeclaredStatuses } from '../../access/declared-status.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { DeclarativeFile } from './declarative-file.ts'
import { z } from 'zod'
import type { SettingStore } from '../../store/store.ts'
import type { AccountStore } from '../../access/account.ts'
import type { GroupStore } from '../../access/group.ts'
import type { KeyStore } from '../../access/key-store.ts'
import type { SubscriptionStore } from '../../access/subscription.ts'
import type { LedgerStore } from '../../metering/funds/ledger.ts'
import type { PlanStore } from '../../metering/funds/plan.ts'
import type { CatalogStore } from '../../routing/catalog.ts'

/** What every step of applying works with. */
export interface ApplyStep extends Installation {
  readonly file: DeclarativeFile
  readonly notes: Notes
  readonly statuses: ApplyStatuses
  /** Makes a change of one object and writes its audit entry, in one transaction. See `auditedChange`. */
  change<Made>(work: (stores: AppliedStores, audit: NoteChange) => Promise<Made>): Promise<Made>
}

/** What the file says of the status of accounts and keys, and what it said when it was applied last. */
export interface ApplyStatuses {
  readonly before: DeclaredStatuses
  readonly now: Map<string, DeclaredStatus>
}

export interface Notes {
  readonly changes: string[]
  readonly warnings: string[]
}

/** What the file is applied to, and with. */
export interface Installation {
  readonly store: ApplyStore
  readonly sealer: Sealer
  readonly hashSecret: (secret: string) => string
  readonly nowMs: number
}

interface Managed {
  readonly isManaged: boolean
}

/** Says as well when the file begins or ends to manage an object: from then on it is changed there alone, or no longer. */
export function managedNote(note: AuditNote, before: Managed, after: Managed): AuditNote {
  if (before.isManaged === after.isManaged) return note
  const managed = { before: before.isManaged, after: after.isManaged }
  return { ...note, changes: { ...note.changes, managed } }
}

/**
 * Calls `release` for each id that stood in the file the last time and is not among `ids` any more, then remembers `ids`.
 * Accounts and keys can be so many that asking the database for all managed ones is not an option.
 */
export async function releaseGone(
  memory: { readonly settings: SettingStore; readonly setting: string },
  ids: readonly string[],
  release: (id: string) => Promise<void>,
): Promise<void> {
  const stored = await memory.settings.read(memory.setting)
  const remembered = stored === null ? [] : z.array(z.string()).parse(JSON.parse(stored))
  const present = new Set(ids)
  for (const id of remembered) if (!present.has(id)) await release(id)
  const text = JSON.stringify(ids)
  // Last, so that whatever a crash cut short is done at the next start.
  if (text !== (stored ?? '[]')) await memory.settings.write(memory.setting, text)
}

/** All of the database that applying a file reads and writes. */
export interface ApplyStore extends AppliedStores {
  /** Runs `work` with stores whose changes are one transaction. See `Store.together`. */
  together<T>(work: (stores: AppliedStores) => Promise<T>): Promise<T>
}

/** The stores of one transaction. */
export interface AppliedStores {
  readonly audit: Pick<AuditStore, 'write'>
  readonly accounts: Pick<
    AccountStore,
    'findByEmail' | 'findById' | 'create' | 'update' | 'passwordHash' | 'standardLimits' | 'setStandardLimits'
  >
  readonly catalog: Pick<
    CatalogStore,
    'models' | 'upstreams' | 'putModel' | 'putUpstream' | 'credentialStates' | 'changeCredential'
  >
  readonly groups: Pick<GroupStore, 'groups' | 'putGroup'>
  readonly keys: Pick<KeyStore, 'findByHash' | 'findById' | 'countOf' | 'create' | 'update' | 'setStatus'>
  readonly ledger: Pick<LedgerStore, 'post' | 'page'>
  readonly plans: Pick<PlanStore, 'plans' | 'putPlan'>
  readonly settings: SettingStore
  readonly subscriptions: Pick<SubscriptionStore, 'find' | 'live' | 'open'>
}
