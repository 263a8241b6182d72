/**
 * What sign-in keeps beside the accounts: sessions, identities at an OIDC provider, short-lived verifications, second
 * factors and passkeys. Nothing in them can be used by who reads the database: session tokens are stored as hashes, secrets
 * of second factors encrypted.
 */
export interface SignInRecords {
  insert(kind: SignInRecordKind, record: SignInRecord): Promise<void>
  /** All conditions hold of every record. At most `limit` of them, in the order of `sortBy`, else of their ids. */
  select(kind: SignInRecordKind, query: RecordQuery): Promise<readonly SignInRecord[]>
  count(kind: SignInRecordKind, where: readonly RecordCondition[]): Promise<number>
  /** Sets and adds in one step, and returns the records as they are then. */
  update(kind: SignInRecordKind, change: RecordChange): Promise<readonly SignInRecord[]>
  /** Returns what was deleted. Of several callers at once, one gets the record. `onlyOne`: the first by its id. */
  delete(
    kind: SignInRecordKind,
    where: readonly RecordCondition[],
    options?: { readonly onlyOne?: boolean },
  ): Promise<readonly SignInRecord[]>
}

/** The `provider` of every identity: an installation has one OIDC provider at most. */
export const OIDC_PROVIDER = 'oidc'

export type SignInRecordKind = 'session' | 'identity' | 'verification' | 'secondFactor' | 'passkey'

/** Times are epoch milliseconds. */
export type SignInValue = string | number | boolean | null
export type SignInRecord = Readonly<Record<string, SignInValue>>

export interface RecordCondition {
  readonly field: string
  readonly is: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'in'
  readonly value: SignInValue | readonly SignInValue[]
}

/** The conditions that each of these fields has this value. */
export function equal(values: SignInRecord): readonly RecordCondition[] {
  return Object.entries(values).map(([field, value]) => ({ field, is: '=', value }))
}

export interface RecordQuery {
  readonly where: readonly RecordCondition[]
  readonly limit: number
  readonly offset?: number
  readonly sortBy?: { readonly field: string; readonly direction: 'asc' | 'desc' }
}

export interface RecordChange {
  readonly where: readonly RecordCondition[]
  readonly set: SignInRecord
  readonly add?: Readonly<Record<string, number>>
}
