import { JsonFlaw } from '../json/json-bytes.ts'
import { scanObject } from '../json/json-scan.ts'

/** The wanted top-level fields of a JSON object as they are written, not parsed; none where it is not an object. */
export function rawFields(object: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, string> {
  try {
    const { fields } = scanObject(object, { wanted })
    return new Map([...fields].map(([field, { start, end }]) => [field, object.toString('utf8', start, end)]))
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return new Map()
    throw flaw
  }
}

/** Whether raw JSON is whole within, which a scan doesn't look into. */
export function isJson(raw: string): boolean {
  try {
    JSON.parse(raw)
    return true
  } catch {
    return false
  }
}
