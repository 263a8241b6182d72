export type AwsFields = Readonly<Record<string, unknown>>

/** The fields of a JSON object; none where the bytes or the value are something else. */
export function fieldsOfJson(json: Buffer | string): AwsFields {
  try {
    return asFields(JSON.parse(json.toString()) as unknown)
  } catch {
    return {}
  }
}

export function asFields(value: unknown): AwsFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AwsFields) : {}
}
