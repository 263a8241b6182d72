/** A JSON object as it is typed; null: the text is none. */
export function readObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** An object as text to be edited; null: nothing. */
export function objectText(object: object | null): string {
  return object === null ? '' : JSON.stringify(object, null, 2)
}
