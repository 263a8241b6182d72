import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveUsage, promptTokens } from './usage.ts'

test('derived counts are possible: no more than the bytes of the body and of the answer', () => {
  const body = fc.uint8Array({ minLength: 20, maxLength: 2_000 })
  fc.assert(
    fc.property(body, fc.integer({ min: 0, max: 10_000 }), (bytes, answerBytes) => {
      const usage = deriveUsage(Buffer.from(bytes), answerBytes)
      expect(promptTokens(usage)).toBeLessThanOrEqual(bytes.length)
      expect(usage.output).toBeLessThanOrEqual(answerBytes)
      expect(usage.reasoning).toBeLessThanOrEqual(usage.output)
      expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0)
      expect(Object.values(usage).every(Number.isInteger)).toBe(true)
    }),
  )
})

test('every kind of token turns up', () => {
  const bodies = Array.from({ length: 200 }, (_, index) => Buffer.from(`a body with the number ${index}`))
  const all = bodies.map((body) => deriveUsage(body, 100))
  for (const kind of ['input', 'cached', 'cacheWrite', 'output', 'reasoning'] as const) {
    expect(all.some((usage) => usage[kind] > 0)).toBe(true)
  }
})
