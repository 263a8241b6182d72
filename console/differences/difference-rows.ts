import type { Difference } from '../api/api-problem.ts'
import type { SharedTexts } from '../dictionaries/shared-en.ts'
import { plainText, type PlainValue, valueText, type ValueWords } from './value-text.ts'

/** How a reader knows the fields of an object, by the names that the API has for them. */
export interface FieldWords {
  /** The names of fields, or of their parts: each part that has a name is a row of its own. null: other rows show it. */
  readonly fields: Readonly<Record<string, string | Readonly<Record<string, string>> | null>>
  /** The names of parts of values. Empty: the value of the part says it all. */
  readonly parts?: Readonly<Record<string, string>>
  /** What it means that there is nothing. Left out: none. */
  readonly empty?: Readonly<Record<string, string>>
  /** null: it is written as all values of its kind. Empty: not at all. */
  textOf?(name: string, value: PlainValue): string | null
  phraseOf?(value: object, name: string): string | null
}

export interface DifferenceRow {
  /** null: the page has no name for it. */
  readonly label: string | null
  readonly field: string
  /** A value of several objects has a line for each. */
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
}

/** What of `Format` values are written with. */
export interface ValueFormat {
  exactMoney(amount: string): string
  number(count: number): string
  time(time: string): string
  duration(durationMs: number): string
  list(names: readonly string[]): string
}

/** Both versions of an object, field by field, in the reader's words. */
export function differenceRows(
  differences: readonly Difference[],
  words: FieldWords,
  { shared, format }: { readonly shared: SharedTexts; readonly format: ValueFormat },
): readonly DifferenceRow[] {
  const values = valueWords(words, shared, format)
  const lines = (name: string, value: unknown): readonly string[] => {
    const each = Array.isArray(value) && value.some(isObject) ? value : [value]
    const texts = each.map((one) => valueText(name, one, values)).filter((text) => text !== '')
    return texts.length > 0 ? texts : [words.empty?.[name] ?? shared.collision.nothing]
  }
  return differences.flatMap(({ field, current, yours }): DifferenceRow[] => {
    const label = Object.hasOwn(words.fields, field) ? words.fields[field] : undefined
    if (label === null) return []
    if (label === undefined || typeof label === 'string') {
      return [{ label: label ?? null, field, theirs: lines(field, current), mine: lines(field, yours) }]
    }
    return Object.entries(label)
      .filter(([part]) => JSON.stringify(partOf(current, part)) !== JSON.stringify(partOf(yours, part)))
      .map(([part, name]) => ({
        label: name,
        field: `${field}.${part}`,
        theirs: lines(part, partOf(current, part)),
        mine: lines(part, partOf(yours, part)),
      }))
  })
}

function valueWords(words: FieldWords, shared: SharedTexts, format: ValueFormat): ValueWords {
  return {
    nameOf: (name) => words.parts?.[name] ?? name,
    valueOf: (name, value) => {
      const own = words.textOf?.(name, value) ?? null
      if (own !== null) return own
      if (typeof value === 'boolean') return value ? shared.yes : shared.no
      return typeof value === 'number' ? format.number(value) : plainText(value, format.time)
    },
    phraseOf: (value, name) => words.phraseOf?.(value, name) ?? null,
    partOf: (name, text, value) => (isObject(value) ? shared.inBrackets(name, text) : shared.labelled(name, text)),
    list: format.list,
  }
}

/** One part of a value. */
function partOf(value: unknown, part: string): unknown {
  return isObject(value) ? (Reflect.get(value, part) ?? null) : null
}

/** Whether the value has parts with names, or is a list of such. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some(isObject))
}
