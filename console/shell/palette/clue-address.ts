import type { DiagnosisAsked } from '../../../src/contract/diagnosis.ts'
import type { Clues } from '../../../src/causes/clues.ts'
import type { FlatSearch } from '../../table/table-search.ts'

/** The clues as the page's address has them: what a link to a diagnosis shows, and no secret. */
export function writeClues(clues: Clues): FlatSearch {
  const { request, end, model, protocol, status, failure, answered, cloud, elsewhere, found, seen } = clues
  const said = {
    request,
    key: end,
    model,
    protocol,
    status: status?.toString() ?? null,
    failure,
    answered: answered === null ? null : `${answered.by}${answered.isSure ? '' : PERHAPS}`,
    cloud,
    elsewhere,
  }
  return {
    ...Object.fromEntries(Object.entries(said).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    ...(found.length === 0 ? {} : { found: JSON.stringify(found) }),
    seen: seen.length === 0 ? 'nothing' : seen.join('.'),
  }
}

/** Follows the name of who answered where that is not sure. */
export const PERHAPS = '-perhaps'

/** Whether an address has any: what reads them is large, and is fetched for such an address alone. */
export function hasClues(search: FlatSearch): boolean {
  return NAMES.some((name) => search[name] !== undefined)
}

const NAMES = [
  'request',
  'key',
  'model',
  'status',
  'failure',
  'answered',
  'cloud',
  'elsewhere',
  'found',
  'seen',
] as const

/** What is asked of the gateway for them; null: nothing of it can be looked up. */
export function askedOf({ request, end, model, protocol }: Clues): DiagnosisAsked | null {
  if (request === null && end === null) return null
  return {
    ...(request === null ? {} : { request }),
    ...(end === null ? {} : { key: end }),
    ...(model === null ? {} : { model }),
    ...(protocol === null ? {} : { protocol }),
  }
}
