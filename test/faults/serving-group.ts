import type { CallRecord } from '../../tools/fake-upstream/books.ts'
import type { LoadKey } from './orders.ts'
import type { WrittenRecord } from './written-books.ts'

/** A group of a key, with what it multiplies prices by, in parts per million. */
export interface LoadGroup {
  readonly group: string
  readonly multiplier: bigint
}

const MARK = '&refuses=45'

/** A model of the menu at the upstream that refuses some calls: by this name its books tell which target was asked. */
export function shakyNameOf(model: string): string {
  return model.includes('?') ? model + MARK : `${model}?${MARK.slice(1)}`
}

/**
 * The group that has to be charged for a request: that of the target by which the upstream says that it served it, or the
 * one that has the model. Of a request that came to no upstream it is not known, and either of its key's groups will do.
 */
export function servingGroup(key: LoadKey, record: WrittenRecord, served: CallRecord | undefined): LoadGroup {
  const { fallback } = key
  if (fallback === undefined) return key
  if (fallback.except !== null) return fallback.except.has(record.model ?? '') ? key : fallback
  if (served === undefined) return record.group_name === fallback.group ? fallback : key
  return isShaky(served.model) ? key : fallback
}

/** The menu's name of what the upstream served. */
export function menuNameOf(served: string): string {
  return isShaky(served) ? served.slice(0, -MARK.length) : served
}

function isShaky(served: string): boolean {
  return served.endsWith(MARK.slice(1))
}

/** Whether the subscription of the key's account covers that group. */
export function isCovered({ coveredIn }: LoadKey, { group }: LoadGroup): boolean {
  return coveredIn === group
}
