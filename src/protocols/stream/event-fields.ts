import { readFields } from '../reading/answer.ts'
import { JsonFlaw } from '../json/json-bytes.ts'
import { fieldsOf, parseOrUndefined } from '../json/json-object.ts'
import { jsonOf, type ServerEvent } from '../reading/server-event.ts'
import { fieldsIn } from '../json/json-scan.ts'

/**
 * The wanted fields of an event's data, parsed; null where that is not JSON. Scanned where a scan can read it, and parsed where it is
 * nested deeper or has more keys: clients read it all the same.
 */
export function fieldsOfEvent(event: ServerEvent, wanted: ReadonlySet<string>): ReadonlyMap<string, unknown> | null {
  const fields = readFields(event.data, wanted)
  if (!(fields instanceof JsonFlaw)) return fields
  const json = jsonOf(event)
  return json === undefined ? null : new Map(Object.entries(fieldsOf(json)).filter(([name]) => wanted.has(name)))
}

/** The wanted top-level fields of a JSON object as they are written, not parsed; none where it is not an object. */
export function rawFields(object: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, string> {
  const fields = fieldsIn(object, wanted) ?? []
  return new Map([...fields].map(([field, { start, end }]) => [field, object.toString('utf8', start, end)]))
}

/** Whether raw JSON is whole within, which a scan doesn't look into. */
export function isJson(raw: string): boolean {
  return parseOrUndefined(raw) !== undefined
}
