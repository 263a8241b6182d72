import type { AuditAction } from '../core/audit-actions.ts'
import { newId } from '../core/ids.ts'

/** Who did what, from where. Written once; never edited, but that the name of a closed account is taken out. */
export interface AuditEntry {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** An account id, `admin_token`, `cli`, `file` (the declarative file), or `anonymous` (a failed sign-in). */
  readonly actor: string
  readonly via: AuditVia
  readonly address: string
  /** Like `key.create`. */
  readonly action: string
  /** The id of what was changed. */
  readonly subject: string | null
  /** The account that the object belongs to. */
  readonly accountId: string | null
  /** What changed, by field; never a secret. */
  readonly changes: Changes
}

export type AuditVia = 'session' | 'access_token' | 'admin_token' | 'cli' | 'file' | 'none'

/** What an entry says of the one who makes a change. */
export type AuditAuthor = Pick<AuditEntry, 'actor' | 'via' | 'address'>

/** The command line is run on the host of the installation, where there is no other address. */
export const BY_CLI: AuditAuthor = { actor: 'cli', via: 'cli', address: '' }
export const BY_FILE: AuditAuthor = { actor: 'file', via: 'file', address: '' }

/** What an entry says of the change itself. What is written must hold no secret. */
export interface AuditNote extends Pick<AuditEntry, 'subject' | 'accountId' | 'changes'> {
  readonly action: AuditAction
}

/** Writes notes of changes that one author makes now, each as an entry. */
export type NoteChange = (note: AuditNote) => Promise<void>

/** `nowMs`: epoch milliseconds. */
export function notingChanges(
  audit: Pick<AuditStore, 'write'>,
  { author, nowMs }: { readonly author: AuditAuthor; readonly nowMs: number },
): NoteChange {
  return (note) => audit.write({ ...note, ...author, id: newId('aud', nowMs), createdAt: nowMs })
}

/** The fields that were changed, before and after. */
export type Changes = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>

export interface AuditFilter {
  readonly actor?: string | undefined
  /** Actions of this name; with a dot at its end, all that begin so. */
  readonly action?: string | undefined
  readonly address?: string | undefined
  readonly subject?: string | undefined
  /** The account whose things were changed, or that was meant. */
  readonly account?: string | undefined
  /** Included. */
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
  /** Entries before this one. */
  readonly after: string | null
  readonly limit: number
}

export interface AuditStore {
  write(entry: AuditEntry & AuditNote): Promise<void>
  /** Takes address and name out of what was written about an account, and the address out of invitations. */
  forget(accountId: string, email: string): Promise<void>
  /** Newest first, each with the actor's email address where the actor is an account. */
  page(filter: AuditFilter): Promise<readonly NamedEntry[]>
  /**
   * The newest entry of each subject that changed the field, by the subject; of each the newest `SUBJECT_ENTRIES_READ` entries
   * are looked at.
   */
  lastChangesOf(field: string, subjects: readonly string[]): Promise<ReadonlyMap<string, NamedEntry>>
}

/** An entry with what those in it are called as it is read. */
export interface NamedEntry extends AuditEntry {
  /** null: the actor is not an account, or it was closed. */
  readonly actorEmail: string | null
  /** The name of the object, of an account its email address. null: such objects have none, or it is gone. */
  readonly subjectName: string | null
  /** The email address of the account that the object belongs to. null: none, or it was closed. */
  readonly accountEmail: string | null
}

export const SUBJECT_ENTRIES_READ = 50

/** The fields in which two forms of an object differ. Values are compared as JSON, and must be such. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes: Record<string, { before: unknown; after: unknown }> = {}
  for (const name of names) {
    const [old, now] = [before[name] ?? null, after[name] ?? null]
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[name] = { before: old, after: now }
  }
  return changes
}
