import { isObject, type JsonObject } from '../../hub/json-object.ts'

/** The input of a call as the object that this wire wants; null where it is none, as when it was cut short. Empty text is `{}`. */
export function callArguments(input: string): JsonObject | null {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
