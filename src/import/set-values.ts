import type { ImportNotes } from './import-plan.ts'
import { entriesOf, jsonIn, type Row, rowName, textIn } from './source.ts'

interface ValueSource {
  readonly table: string
  readonly notes: ImportNotes
}

/** Names of keys are shown, and may be anything. */
const LONGEST_KEY = 60
const MOST_NESTED = 8

/** The JSON object in a column, by its keys; none where nothing stands there. What is not an object is noted. */
export function objectIn(row: Row, column: string, { table, notes }: ValueSource): ReadonlyMap<string, unknown> {
  const value = jsonIn(row, column)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject && !['', 'null', '[]', '""'].includes(textIn(row, column).trim())) {
    notes.note(table, rowName(table, row), `have a ${column} that is not a JSON object: not carried`)
  }
  return new Map(entriesOf(value))
}

/** Notes each key of such an object in which something is set, but those that are carried. `reasons`: what is said of some. */
export function noteOtherKeys(
  row: Row,
  column: string,
  {
    carried,
    reasons = {},
    ...where
  }: ValueSource & { readonly carried: readonly string[]; readonly reasons?: Readonly<Record<string, string>> },
): void {
  const { table, notes } = where
  for (const [key, value] of objectIn(row, column, where)) {
    if (carried.includes(key) || !isSetValue(value)) continue
    const reason = Object.hasOwn(reasons, key) ? reasons[key] : ''
    notes.note(table, rowName(table, row), `have ${column}.${key.slice(0, LONGEST_KEY)}, which is not carried${reason}`)
  }
}

/** Whether a value of JSON says something: null, false, 0, empty texts and what has nothing else in it do not. */
export function isSetValue(value: unknown, nested = 0): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return false
  if (typeof value !== 'object' || nested >= MOST_NESTED) return true
  return Object.values(value).some((each) => isSetValue(each, nested + 1))
}
