export interface ChangedValue {
  readonly field: string
  /** null: there was nothing. */
  readonly before: string | null
  readonly after: string
}

type Changes = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>

/**
 * What the audit log says was changed, as texts. What stayed as it was is left out. `nothing`: what an empty value is called;
 * `nameOf`: what a part of a value is called, by the API's name for it.
 */
export function changedValues(changes: Changes, nothing: string, nameOf = asItIs): readonly ChangedValue[] {
  const textOf = (value: unknown): string => textWith(value, nameOf)
  const changed = Object.entries(changes)
    .map(([field, { before, after }]) => ({ field, before: textOf(before), after: textOf(after) }))
    .filter(({ before, after }) => before !== after)
  return changed.map(({ field, before, after }) => ({ field, before: before || null, after: after || nothing }))
}

/** Empty: nothing. */
function textWith(value: unknown, nameOf: (name: string) => string): string {
  if (value === null || value === undefined) return ''
  const textOf = (part: unknown): string => textWith(part, nameOf)
  if (Array.isArray(value)) return value.map(textOf).filter(isSaid).join(', ')
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  return Object.entries(value)
    .map(([name, part]) => [name, textOf(part)] as const)
    .filter(([, text]) => isSaid(text))
    .map(([name, text]) => `${nameOf(name)} ${text}`)
    .join(', ')
}

function asItIs(name: string): string {
  return name
}

function isSaid(text: string): boolean {
  return text !== ''
}
