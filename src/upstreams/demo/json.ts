import { isObject, type JsonObject } from '../../protocols/json/json-object.ts'

/** Reading JSON of unknown shape: what is not of the wanted kind reads as an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
