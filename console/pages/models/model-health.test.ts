import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { TrafficOfModel } from '../../api/models.ts'
import { drawn } from '../../drawn.ts'
import { HealthDot } from './model-health.tsx'

const dotOf = (answers: TrafficOfModel['answers']): Promise<string> =>
  drawn(createElement(HealthDot, { traffic: { answers } as unknown as TrafficOfModel }))

test('how a model answers has a form, a colour and words of its own each', async () => {
  const dots = await Promise.all([dotOf('healthy'), dotOf('degraded'), dotOf('failing')])
  const read = (pattern: RegExp): Set<string | undefined> => new Set(dots.map((html) => pattern.exec(html)?.[1]))
  expect(read(/title="([^"]+)"/).size).toBe(3)
  expect(read(/aria-hidden="true" class="([^"]+)"/).size).toBe(3)
  expect(read(/sr-only">([^<]+)</).size).toBe(3)
})

test('of too little traffic nothing is said', async () => {
  expect(await dotOf(null)).not.toContain('title')
  expect(await drawn(createElement(HealthDot, { traffic: null }))).not.toContain('title')
})
