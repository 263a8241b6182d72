import { fieldsOf, parseOrUndefined, type JsonObject } from '../../../protocols/json/json-object.ts'

/** The fields of a JSON object; none where the bytes are something else. */
export function fieldsOfJson(json: Buffer | string): JsonObject {
  return fieldsOf(parseOrUndefined(json.toString()))
}
