import { expect, test } from 'vitest'
import { TRANSLATED_BODY_LIMIT_BYTES, TRANSLATED_VALUES_LIMIT } from '../core/limits.ts'
import { WRAPPED_PREFIX } from './hub/opaque-reasoning.ts'
import { protocolOf } from './protocol-of.ts'
import { WRAPPED } from './spokes/gemini/signatures.ts'

const MARKS = [
  ['openai-responses', WRAPPED_PREFIX, (list: string) => `{"model":"m","input":${list}}`],
  ['anthropic-messages', WRAPPED_PREFIX, (list: string) => `{"model":"m","max_tokens":1,"messages":${list}}`],
  ['gemini', WRAPPED, (list: string) => `{"contents":${list}}`],
] as const

const LONG = `[{"x":"${'x'.repeat(TRANSLATED_BODY_LIMIT_BYTES)}"}`
const MANY = `[${'{},'.repeat(TRANSLATED_VALUES_LIMIT)}{}`

test.for(MARKS)(
  'a large body of %s with reasoning of another provider is refused in words, and is not parsed',
  ([wire, mark, bodyWith]) => {
    const protocol = protocolOf(wire)
    for (const before of [LONG, MANY]) {
      const body = Buffer.from(bodyWith(`${before},{"x":"${mark}abc"}]`))
      expect(protocol.rewriteRefusal?.(body)?.message).toMatch(/reasoning of another provider/)
      const head = protocol.readRequest(body, { fromPath: { model: 'm', isStream: false } })
      const change = { model: 'up', askForUsage: false }
      expect(() => protocol.rewriteRequest(body, head, change)).toThrow(/reasoning of another provider/)
      // In the midst of a text it means nothing, and the body passes as it is.
      const quoted = Buffer.from(bodyWith(`${before},{"x":"see ${mark}abc"}]`))
      expect(protocol.rewriteRefusal?.(quoted)).toBeNull()
      expect(
        Buffer.concat(
          protocol.rewriteRequest(
            quoted,
            protocol.readRequest(quoted, { fromPath: { model: 'm', isStream: false } }),
            change,
          ),
        ).length,
      ).toBeGreaterThan(quoted.length - 10)
    }
    const small = Buffer.from(bodyWith(`[{"x":"${mark}abc"}]`))
    expect(protocol.rewriteRefusal?.(small)).toBeNull()
  },
)
