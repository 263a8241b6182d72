export type Fields = Readonly<Record<string, unknown>>

/** The object that a body is as JSON; null: it is none. */
export function jsonOf(body: Buffer): Fields | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? (value as Fields) : null
  } catch {
    return null
  }
}
