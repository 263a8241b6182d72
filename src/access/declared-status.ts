/** What the declarative file can say of an account or a key. */
export type DeclaredStatus = 'active' | 'disabled'

/** Where it stands what the file said when it was applied last. */
export const DECLARED_STATUSES = 'declared_statuses'

/** Statuses by the id of the account or key; what the file says nothing of is not there. */
export type DeclaredStatuses = ReadonlyMap<string, DeclaredStatus>

export function readDeclaredStatuses(stored: string | null): DeclaredStatuses {
  const entries: unknown = stored === null ? {} : JSON.parse(stored)
  if (typeof entries !== 'object' || entries === null) return new Map()
  return new Map(
    Object.entries(entries).filter((entry): entry is [string, DeclaredStatus] => isDeclaredStatus(entry[1])),
  )
}

/** Whether the declarative file disables this account or key: then the file alone enables it (decision 0039). */
export async function isDisabledByFile(
  { id, isManaged }: { readonly id: string; readonly isManaged: boolean },
  settings: { read(name: string): Promise<string | null> },
): Promise<boolean> {
  return isManaged && readDeclaredStatuses(await settings.read(DECLARED_STATUSES)).get(id) === 'disabled'
}

export function writtenDeclaredStatuses(statuses: DeclaredStatuses): string {
  return JSON.stringify(Object.fromEntries([...statuses].sort(([a], [b]) => (a < b ? -1 : 1))))
}

/**
 * The status that an account or key has once the file is applied. What is disabled there is disabled. `active` enables it when
 * the file says so anew; as long as it goes on saying so, what a person disabled meanwhile stays disabled (decision 0039).
 * `null`: the file says nothing.
 */
export function statusToApply(
  said: DeclaredStatus | null,
  { saidBefore, now }: { readonly saidBefore: DeclaredStatus | null; readonly now: DeclaredStatus },
): DeclaredStatus {
  if (said === null || (said === 'active' && saidBefore === 'active')) return now
  return said
}

function isDeclaredStatus(value: unknown): value is DeclaredStatus {
  return value === 'active' || value === 'disabled'
}
