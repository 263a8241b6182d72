import type { SettlementValue } from '../engine/settlement-rows.ts'

/**
 * A column as PostgreSQL reads an array: `{1,NULL,2}`. The driver would do the same at three times the price, as it looks at
 * each value for what it is.
 */
export function integerArray(values: readonly (SettlementValue | undefined)[]): string {
  let text = '{'
  for (const value of values) text += `${value ?? 'NULL'},`
  return closed(text)
}

/** Every text is quoted, so that `NULL`, commas and braces are just text. */
export function textArray(values: readonly (SettlementValue | undefined)[]): string {
  let text = '{'
  for (const value of values) text += typeof value === 'string' ? `"${escaped(value)}",` : 'NULL,'
  return closed(text)
}

function escaped(value: string): string {
  return value.includes('"') || value.includes('\\') ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : value
}

function closed(text: string): string {
  return text === '{' ? '{}' : `${text.slice(0, -1)}}`
}
