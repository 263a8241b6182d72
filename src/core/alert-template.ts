/**
 * Bodies of alerts as an admin wrote them: any JSON object, in whose texts `{{name}}` stands for a fact of the alert. They
 * are replaced within texts that were read already, and written as JSON afterwards, so that no fact can end its text.
 */
export const ALERT_PLACEHOLDERS = [
  'title',
  'text',
  'id',
  'type',
  'created_at',
  'account_id',
  'account_email',
  'subject_kind',
  'subject_id',
  'subject_name',
  'percent',
  'limit',
  'used',
  'remaining',
  'window',
  'resets_at',
  'ends_at',
] as const
export type AlertPlaceholder = (typeof ALERT_PLACEHOLDERS)[number]

/** What each placeholder stands for in one alert; empty: it has none. */
export type AlertFacts = Readonly<Record<AlertPlaceholder, string>>

export type AlertTemplate = Readonly<Record<string, unknown>>

/** The longest template, in JSON. Group chats take less than that. */
export const ALERT_TEMPLATE_BYTES = 8_192
const DEPTH = 12
/** So that what is posted stays small, whatever a key is called. */
const PLACEHOLDERS_AT_ONCE = 100

/** What is wrong with a template, as the end of a sentence that begins with its name; null: nothing. */
export function objectionToAlertTemplate(template: AlertTemplate): string | null {
  if (isDeeper(template, DEPTH)) return `must have at most ${DEPTH} levels`
  if (Buffer.byteLength(JSON.stringify(template)) > ALERT_TEMPLATE_BYTES) {
    return `must be at most ${ALERT_TEMPLATE_BYTES} bytes of JSON`
  }
  const named = fieldsOf(template).find((field) => field.includes('{{'))
  if (named !== undefined) return `must have placeholders in texts alone, and not in the name of a field (${named})`
  const used = textsOf(template).flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))
  const unknown = used.find((name) => !isPlaceholder(name))
  if (unknown !== undefined) {
    return `must not have {{${unknown}}}: its placeholders are ${ALERT_PLACEHOLDERS.join(', ')}`
  }
  return used.length > PLACEHOLDERS_AT_ONCE ? `must have at most ${PLACEHOLDERS_AT_ONCE} placeholders` : null
}

/** The template with the facts of an alert in its texts. `written`: how a fact is written where it goes. */
export function filledTemplate(
  template: AlertTemplate,
  facts: AlertFacts,
  written: (fact: string) => string = (fact) => fact,
): AlertTemplate {
  const fill = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (whole, name: string) => {
      const wanted = name.trim()
      return isPlaceholder(wanted) ? written(facts[wanted]) : whole
    })
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value)
    if (Array.isArray(value)) return value.map(filled)
    return isObject(value) ? mapped(value) : value
  }
  const mapped = (value: AlertTemplate): AlertTemplate =>
    Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, filled(inner)]))
  return mapped(template)
}

/** What hides each part of a template that an admin wrote. */
const HIDDEN = '•••'

/** The template with its placeholders and fields alone: what receivers know their sender by may stand in the texts. */
export function withoutTexts(template: AlertTemplate): AlertTemplate {
  const hidden = (value: unknown): unknown => {
    if (typeof value === 'string') return (value.match(PLACEHOLDER) ?? [HIDDEN]).join(' ')
    if (typeof value === 'number') return HIDDEN
    if (Array.isArray(value)) return value.map(hidden)
    return isObject(value) ? mapped(value) : value
  }
  const mapped = (value: AlertTemplate): AlertTemplate =>
    Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, hidden(inner)]))
  return mapped(template)
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

function isPlaceholder(name: string): name is AlertPlaceholder {
  return ALERT_PLACEHOLDERS.some((each) => each === name)
}

function isObject(value: unknown): value is AlertTemplate {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function innerOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function isDeeper(value: unknown, levels: number): boolean {
  return levels === 0 ? innerOf(value).length > 0 : innerOf(value).some((inner) => isDeeper(inner, levels - 1))
}

function textsOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : innerOf(value).flatMap(textsOf)
}

function fieldsOf(value: unknown): readonly string[] {
  return [...(isObject(value) ? Object.keys(value) : []), ...innerOf(value).flatMap(fieldsOf)]
}
