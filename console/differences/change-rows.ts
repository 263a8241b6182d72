import { differenceRows, type FieldWords, type ValueFormat } from './difference-rows.ts'
import type { SharedTexts } from '../dictionaries/shared-en.ts'

/** What an entry of the audit has of what was changed, by field. */
export type Changes = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>

export interface ChangeRow {
  readonly field: string
  readonly label: string
  /** null: there was nothing. */
  readonly before: string | null
  readonly after: string
}

/** What was changed, field by field, in the reader's words; what reads as it did before is left out. */
export function changeRows(
  changes: Changes,
  words: FieldWords,
  texts: { readonly shared: SharedTexts; readonly format: ValueFormat },
): readonly ChangeRow[] {
  const differences = Object.entries(changes).map(([field, { before, after }]) => ({
    field,
    current: before ?? null,
    yours: after ?? null,
  }))
  return differenceRows(differences, words, texts).flatMap(({ field, label, theirs, mine }): ChangeRow[] => {
    const [name = field, part] = field.split('.')
    const was: unknown = changes[name]?.before ?? null
    const isNew = isEmpty(part === undefined || typeof was !== 'object' || was === null ? was : Reflect.get(was, part))
    const [before, after] = [theirs, mine].map((lines) => texts.format.list(lines))
    if (after === undefined || before === after) return []
    return [{ field, label: label ?? field, before: isNew ? null : (before ?? null), after }]
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Words of one object, and others for what the audit alone has: the fields and values that no form shows. */
export function withMoreWords(words: FieldWords, more: FieldWords): FieldWords {
  return {
    ...words,
    fields: { ...more.fields, ...words.fields },
    textOf: (name, value) => words.textOf?.(name, value) ?? more.textOf?.(name, value) ?? null,
  }
}
