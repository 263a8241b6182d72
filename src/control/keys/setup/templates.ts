import { SETUP_MARK_HEADER } from '../../../access/setup-mark.ts'
import { familyOf } from '../../../core/wire.ts'
import { clientBaseUrl, type FileContent, USUAL_CONTEXT_TOKENS, type WayContext } from './client-description.ts'

/**
 * Fills addresses and names in for their placeholders in every string of a guide: `{origin}`, `{base_url}` (the origin with
 * `/v1`), `{client_url}` (the one of both that clients of the protocol take), `{family}` of the protocol, `{api}` (the client's
 * own name for it), `{context}` (the size of the suggested model's context), `{key_mark}` and `{mark_header}`. Placeholders of the browser stay.
 */
export function filled<Value>(value: Value, way: WayContext, api: string): Value {
  const known: Readonly<Record<string, string>> = {
    origin: way.origin,
    base_url: way.openaiBaseUrl,
    client_url: clientBaseUrl(way),
    family: familyOf(way.protocol),
    api,
    context: String(way.models[0]?.contextTokens ?? USUAL_CONTEXT_TOKENS),
    key_mark: way.keyMark,
    mark_header: SETUP_MARK_HEADER,
  }
  const write = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.replace(/\{(\w+)\}/g, (mark, name: string) => known[name] ?? mark)
    if (Array.isArray(inner)) return inner.map(write)
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, write(each)]))
  }
  return write(value) as Value
}

export function fileText(content: FileContent, way: WayContext, api: string): string {
  if (typeof content === 'string') return filled(content, way, api)
  // Names of models are values, which are not filled.
  return JSON.stringify(typeof content === 'function' ? content(way, api) : filled(content, way, api), null, 2)
}
