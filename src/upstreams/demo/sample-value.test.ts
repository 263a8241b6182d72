import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonFields } from './json.ts'
import { sampleValue } from './sample-value.ts'

const place = z.object({
  city: z.string().min(6).max(8),
  days: z.int().min(3).max(14),
  unit: z.enum(['celsius', 'fahrenheit']),
  when: z.iso.datetime(),
  who: z.email(),
  id: z.uuid(),
  share: z.number().gt(0).lt(1),
  step: z.number().multipleOf(5).min(12),
  debt: z.number().max(-2),
  tags: z.array(z.string()).min(2),
  exact: z.literal(7),
  either: z.union([z.object({ kind: z.literal('a') }), z.string()]),
  nothing: z.null(),
  nested: z.object({ deep: z.object({ flag: z.boolean() }) }),
  maybe: z.string().optional(),
})

test('the sample of a schema passes the check of the schema, and holds only what is required', () => {
  const sample = sampleValue(z.toJSONSchema(place) as JsonFields)
  expect(place.parse(sample)).toEqual(sample)
  expect(sample).not.toHaveProperty('maybe')
})

test('references inside the schema and parts that must all hold are followed', () => {
  const schema = {
    type: 'object',
    required: ['place', 'both'],
    properties: {
      place: { $ref: '#/$defs/place' },
      both: { allOf: [{ $ref: '#/$defs/place' }, { properties: { size: { type: 'integer' } }, required: ['size'] }] },
    },
    $defs: { place: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  }
  expect(sampleValue(schema)).toEqual({ place: { name: 'demo' }, both: { name: 'demo', size: 1 } })
})

test('a schema that refers to itself in many places comes to an end soon', () => {
  const names = Array.from({ length: 100 }, (_, at) => `field${at}`)
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]))
  const sample = sampleValue({ type: 'object', required: names, properties })
  expect(JSON.stringify(sample).length).toBeLessThan(100_000)
})
