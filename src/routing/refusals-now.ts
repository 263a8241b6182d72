import { createHash } from 'node:crypto'
import type { Target, Upstream } from './catalog.ts'
import { REMEMBERED_MS, type RefusalNote } from './learned-refusals.ts'

export interface ConfiguredTarget {
  readonly upstream: Upstream
  readonly target: Target
}

/** What of these is left out at a target now: of the last day, learned as it is configured, and not left out by hand. */
export function refusalsNow(
  notes: readonly RefusalNote[],
  { upstream, target }: ConfiguredTarget,
  nowMs: number,
): readonly RefusalNote[] {
  if (notes.length === 0) return notes
  const byHand = [...(upstream.passage?.droppedSettings ?? []), ...(target.droppedSettings ?? [])]
  const mark = configurationMark(upstream, target)
  return notes.filter(
    (note) => note.refusedAt + REMEMBERED_MS > nowMs && note.mark === mark && !byHand.includes(note.setting),
  )
}

/** How what a target takes is configured, but for what is left out by hand: the same in every process. */
export function configurationMark(upstream: Upstream, target: Target): string {
  const known = MARKS.get(target)
  if (known?.upstream === upstream) return known.mark
  const { droppedSettings: _, ...passage } = upstream.passage ?? {}
  const text = JSON.stringify([target.fieldsLike, { ...upstream, passage }], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const mark = createHash('sha256').update(text).digest('base64url').slice(0, MARK_CHARACTERS)
  MARKS.set(target, { upstream, mark })
  return mark
}

const MARK_CHARACTERS = 12
/** A target belongs to one reading of the catalogue, as does its mark. */
const MARKS = new WeakMap<Target, { readonly upstream: Upstream; readonly mark: string }>()
