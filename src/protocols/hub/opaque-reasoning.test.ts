import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayHoldForeignReasoning, openOpaque, writeOpaque } from './opaque-reasoning.ts'

const makers = fc.constantFrom('anthropic', 'openai', 'google', 'chat')

test('reasoning comes back byte for byte through any wire', () => {
  fc.assert(
    fc.property(fc.tuple(makers, makers), fc.string({ unit: 'binary' }), fc.string(), ([vendor, home], data, id) => {
      fc.pre(!data.startsWith('~tollgate.'))
      const opaque = { vendor, data, ...(vendor === home ? {} : { id, isRedacted: true as const }) } as const
      const written = writeOpaque(opaque, home)
      expect(openOpaque(written, home)).toEqual(opaque)
      expect(mayHoldForeignReasoning(Buffer.from(JSON.stringify({ written })))).toBe(vendor !== home)
    }),
  )
})

test('what only looks like it is the wire’s own', () => {
  for (const written of ['~tollgate.reasoning.', '~tollgate.reasoning.!!', '~tollgate.reasoning.e30']) {
    expect(openOpaque(written, 'anthropic')).toEqual({ vendor: 'anthropic', data: written })
  }
})
