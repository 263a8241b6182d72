import type { ImportNotes } from '../import-plan.ts'
import { entriesOf, integerIn, isTrueIn, jsonIn, type Row, type SourceReader, textIn, words } from '../source.ts'
import type { Sub2apiGroups } from './groups.ts'

const COLUMNS = words(
  'group_id public_model match_type target_platform upstream_model endpoint priority enabled',
  'fallback_targets deleted_at',
)
const COMPOSITE = 'composite'

/** A model of a group that is served by accounts of several platforms. */
export interface CompositeRoute {
  readonly name: string
  readonly platform: string
  readonly model: string
}

/** Reads by group what each composite one serves; a group of one platform has none. */
export async function readCompositeRoutes(
  source: SourceReader,
  { groups, notes }: { groups: Sub2apiGroups; notes: ImportNotes },
): Promise<ReadonlyMap<string, readonly CompositeRoute[]>> {
  const composite = [...groups.rows].flatMap(([id, row]) => (textIn(row, 'platform') === COMPOSITE ? [id] : []))
  const routes = new Map(composite.map((id): [string, (CompositeRoute & { readonly place: bigint })[]] => [id, []]))
  for await (const row of source.rows('composite_model_routes', COLUMNS)) {
    const own = routes.get(textIn(row, 'group_id'))
    if (own === undefined || row['deleted_at'] != null || !isTrueIn(row, 'enabled')) {
      notes.note('composite_model_routes', textIn(row, 'id'), 'are disabled or deleted there, or of no such group')
      continue
    }
    const place = integerIn(row, 'priority') ?? 0n
    const name = textIn(row, 'public_model')
    const standing = own.findIndex((route) => route.name === name)
    if (!isCarried(row, notes)) continue
    const route = {
      name,
      platform: textIn(row, 'target_platform'),
      model: textIn(row, 'upstream_model') || name,
      place,
    }
    if (standing === -1) own.push(route)
    else {
      const why = 'are of a model that another route names too: the first counts'
      notes.note('composite_model_routes', textIn(row, 'id'), why)
      if ((own[standing]?.place ?? place) > place) own[standing] = route
    }
  }
  return routes
}

/** A model here has one name, and the same targets on every endpoint. */
function isCarried(row: Row, notes: ImportNotes): boolean {
  const id = textIn(row, 'id')
  const fallback: unknown = jsonIn(row, 'fallback_targets')
  if (Array.isArray(fallback) ? fallback.length > 0 : entriesOf(fallback).length > 0)
    notes.note('composite_model_routes', id, 'have fallback_targets, which are not carried')
  const isExact = ['', 'exact'].includes(textIn(row, 'match_type')) && !textIn(row, 'public_model').includes('*')
  if (isExact && ['', 'any'].includes(textIn(row, 'endpoint'))) return true
  notes.note('composite_model_routes', id, 'stand for many names, or for one endpoint alone: not carried')
  return false
}
