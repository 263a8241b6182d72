import { isObject, type JsonObject } from '../../hub/json-object.ts'

/**
 * The input of a call as the object that this wire wants; null where the text is none, as when a model slipped or was cut
 * short. Empty text is a call without arguments.
 */
export function toolInputOf(text: string): JsonObject | null {
  if (text.trim() === '') return {}
  try {
    const value = JSON.parse(text) as unknown
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
