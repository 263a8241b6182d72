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
}

export type PlainValue = string | number | boolean

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** A plain value as the API has it, but for moments, which are written as elsewhere on the page. */
export function plainText(value: PlainValue, momentOf: (time: string) => string): string {
  return typeof value === 'string' && MOMENT.test(value) ? momentOf(value) : String(value)
}

/** A value of a field as a text. Empty: nothing. */
export function valueText(name: string, value: unknown, words: ValueWords): string {
  if (value === null || value === undefined) return ''
  if (isPlain(value)) return words.valueOf(name, value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const phrase = words.phraseOf?.(value, name) ?? null
  if (phrase !== null) return phrase
  const parts = Array.isArray(value)
    ? value.map((part: unknown) => valueText(name, part, words))
    : Object.entries(value).map(([each, part]) => {
        const text = valueText(each, part, words)
        const called = words.nameOf(each)
        if (text === '' || called === '') return text
        return words.partOf?.(called, text, part) ?? `${called} ${text}`
      })
  return words.list(parts.filter(isSaid))
}

function isPlain(value: unknown): value is PlainValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isSaid(text: string): boolean {
  return text !== ''
}
