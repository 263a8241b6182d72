export interface ChangedValue {
  readonly field: string
  /** null: there was nothing. */
  readonly before: string | null
  readonly after: string
}

type Changes = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>

/** How the parts of a value are called for a reader. */
export interface ValueWords {
  /** What a part is called, by the API's name for it; empty: its value says it all. */
  nameOf(name: string): string
  /** A plain value, with the API's name of the field or part that has it. */
  valueOf(name: string, value: PlainValue): string
  /** Parts of one value, one after the other. */
  list(parts: readonly string[]): string
  /** Writes a value that reads better as a whole; null: it is written part by part. */
  phraseOf?(value: object, name: string): string | null
  /** A part after what it is called. Left out: with a space between. */
  partOf?(name: string, text: string, value: unknown): string
  /** Several parts that are one of a list, kept apart from what stands beside them. Left out: they are not. */
  apart?(parts: string): string
}

export type PlainValue = string | number | boolean

const AS_THEY_ARE: ValueWords = {
  nameOf: (name) => name,
  valueOf: (_, value) => String(value),
  list: (parts) => parts.join(', '),
  apart: (parts) => `(${parts})`,
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Values as the API has them, but for moments, which are written as elsewhere on the page. */
export function withMoments(momentOf: (time: string) => string): ValueWords {
  const valueOf = (_: string, value: PlainValue): string =>
    typeof value === 'string' && MOMENT.test(value) ? momentOf(value) : String(value)
  return { ...AS_THEY_ARE, valueOf }
}

/**
 * What the audit log says was changed, as texts. What stayed as it was is left out. `nothing`: what an empty value is called.
 */
export function changedValues(changes: Changes, nothing: string, words = AS_THEY_ARE): readonly ChangedValue[] {
  const changed = Object.entries(changes)
    .map(([field, { before, after }]) => ({
      field,
      before: valueText(field, before, words),
      after: valueText(field, after, words),
    }))
    .filter(({ before, after }) => before !== after)
  return changed.map(({ field, before, after }) => ({ field, before: before || null, after: after || nothing }))
}

/** A value of a field as a text. Empty: nothing. */
export function valueText(name: string, value: unknown, words: ValueWords): string {
  if (value === null || value === undefined) return ''
  if (isPlain(value)) return words.valueOf(name, value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const phrase = words.phraseOf?.(value, name) ?? null
  if (phrase !== null) return phrase
  const parts = Array.isArray(value)
    ? value.map((part: unknown) => innerText(name, part, words))
    : Object.entries(value).map(([each, part]) => {
        const text = innerText(each, part, words)
        const called = words.nameOf(each)
        if (text === '' || called === '') return text
        return words.partOf?.(called, text, part) ?? `${called} ${text}`
      })
  return words.list(parts.filter(isSaid))
}

/** What `valueText` returns, for a value within another. */
function innerText(name: string, value: unknown, words: ValueWords): string {
  const text = valueText(name, value, words)
  if (words.apart === undefined) return text
  const hasParts = typeof value === 'object' && value !== null && !Array.isArray(value)
  const isWhole = !hasParts || Object.values(value).filter((part) => valueText('', part, words) !== '').length < 2
  return isWhole ? text : words.apart(text)
}

function isPlain(value: unknown): value is PlainValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isSaid(text: string): boolean {
  return text !== ''
}
