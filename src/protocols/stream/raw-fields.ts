import { parseOrUndefined } from '../json/json-object.ts'
import { fieldsIn } from '../json/json-scan.ts'

/** The wanted top-level fields of a JSON object as they are written, not parsed; none where it is not an object. */
export function rawFields(object: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, string> {
  const fields = fieldsIn(object, wanted) ?? []
  return new Map([...fields].map(([field, { start, end }]) => [field, object.toString('utf8', start, end)]))
}

/** Whether raw JSON is whole within, which a scan doesn't look into. */
export function isJson(raw: string): boolean {
  return parseOrUndefined(raw) !== undefined
}
