/** Rules that both of OpenAI's wires share. */
import { listOf, objectOf } from '../../../src/upstreams/demo/json.ts'

/** What a schema lacks to be followed strictly, in OpenAI's words; null when nothing. Looks at its top alone. */
export function strictSchemaProblem(name: string, schema: unknown): string | null {
  const { additionalProperties, properties, required } = objectOf(schema)
  const beginning = `Invalid schema for function '${name}': In context=(), `
  if (additionalProperties !== false) {
    return `${beginning}'additionalProperties' is required to be supplied and to be false.`
  }
  const missing = Object.keys(objectOf(properties)).find((one) => !listOf(required).includes(one))
  if (missing === undefined) return null
  return `${beginning}'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
}
