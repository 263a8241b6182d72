/** Reading JSON of unknown shape: what is not of the wanted kind reads as an empty one. */

export type JsonFields = { readonly [name: string]: unknown }

export function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectOf(value: unknown): JsonFields {
  return isObject(value) ? value : {}
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
