export type JsonFields = Readonly<Record<string, unknown>>

/** The fields of a JSON object; none where the bytes or the value are something else. */
export function fieldsOfJson(json: Buffer | string): JsonFields {
  try {
    return asFields(JSON.parse(json.toString()) as unknown)
  } catch {
    return {}
  }
}

export function asFields(value: unknown): JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonFields) : {}
}
